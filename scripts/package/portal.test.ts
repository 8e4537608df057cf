import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

/** An installed portal whose Node only prints what it is started with. */
function installed(settings?: string) {
  const directory = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'portal-command-')))
  onTestFinished(() => fs.rmSync(directory, { recursive: true }))
  const bin = path.join(directory, 'app/bin')
  fs.mkdirSync(bin, { recursive: true })
  fs.copyFileSync('scripts/package/portal.sh', path.join(bin, 'portal'))
  fs.writeFileSync(path.join(bin, 'node'), '#!/bin/sh\nprintf "%s\\n" "$PWD" "$@"\nenv\necho "user $(id -un)"\n', {
    mode: 0o755,
  })
  if (settings !== undefined) {
    fs.writeFileSync(path.join(directory, 'portal.env'), settings)
    fs.symlinkSync('../portal.env', path.join(directory, 'app/settings.env'))
  }
  return { directory, command: path.join(bin, 'portal') }
}

function run({ directory, command }: ReturnType<typeof installed>, env: Record<string, string> = {}) {
  const { stdout, stderr, status } = spawnSync(command, ['backup', 'my.backup'], {
    cwd: directory,
    encoding: 'utf8',
    env: { PATH: '/usr/bin:/bin', ...env },
  })
  return { lines: stdout.split('\n'), stderr, status }
}

const SETTINGS = `
# DATABASE_URL=postgres://commented
DATABASE_URL=postgres://portal:a=b@db/portal
BRAND_COLOR=#3451b2
MAIL_FROM=Licensing Portal <portal@vendor.example>
BRAND_NAME="A $HOME of 'licenses'"
not a setting
PORT=8080`

test('the packaged command has the settings of the service and stays in the directory of the operator', () => {
  const portal = installed(SETTINGS)
  const { lines, status } = run(portal, { PORT: '9090' })
  expect(status).toBe(0)
  expect(lines[0]).toBe(portal.directory)
  expect(lines.slice(3, 6)).toEqual([`${portal.directory}/app/server/cli/main.ts`, 'backup', 'my.backup'])
  for (const line of [
    'DATABASE_URL=postgres://portal:a=b@db/portal',
    'BRAND_COLOR=#3451b2',
    'MAIL_FROM=Licensing Portal <portal@vendor.example>',
    "BRAND_NAME=A $HOME of 'licenses'",
    'PORT=9090',
    'DATA_DIR=/var/lib/licensing-portal',
  ])
    expect(lines).toContain(line)
})

test.runIf(process.getuid?.() === 0)(
  'the packaged command of root runs as the user whom the data belongs to (needs root)',
  () => {
    const portal = installed(SETTINGS)
    fs.chmodSync(portal.directory, 0o755)
    const data = path.join(portal.directory, 'data')
    fs.mkdirSync(data)
    const userOf = () => run(portal, { DATA_DIR: data }).lines.find((line) => line.startsWith('user '))
    expect(userOf()).toBe('user root')
    fs.chownSync(data, 65_534, 65_534)
    expect(userOf()).toBe('user nobody')
    expect(run(portal, { DATA_DIR: data, PORT: '9090' }).lines).toEqual(
      expect.arrayContaining([portal.directory, 'backup', 'my.backup', 'PORT=9090']),
    )
  },
)

test('the packaged command without a service uses the data of the server beside it', () => {
  const portal = installed()
  expect(run(portal).lines).toContain(`DATA_DIR=${portal.directory}/app/.data`)
})

test('the packaged command refuses to run without the settings of the service', () => {
  const portal = installed('')
  fs.rmSync(path.join(portal.directory, 'portal.env'))
  expect(run(portal)).toMatchObject({ status: 2, stderr: expect.stringContaining('cannot be read: use sudo') })
})
