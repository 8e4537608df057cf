import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { isRoot } from '#server/embedded/server-user.ts'
import { freePort } from '#server/testing/portal-process.ts'
import { until } from '#server/testing/until.ts'
import { walkableDirectory } from '#server/testing/walkable-directory.ts'

const USER = 'licensing-portal-test'

/** Runs a program as a user who has nothing but the system's own programs. */
function asNewUser(home: string, command: string, env: Record<string, string>) {
  execFileSync('useradd', ['--system', '--home-dir', home, '--user-group', USER])
  onTestFinished(() => {
    spawnSync('pkill', ['-KILL', '-u', USER])
    execFileSync('userdel', [USER])
  })
  fs.chownSync(home, Number(execFileSync('id', ['-u', USER], { encoding: 'utf8' })), 0)
  const child = spawn('setpriv', ['--reuid', USER, '--regid', USER, '--clear-groups', command], {
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
    const app = path.join(directory, 'root/opt/licensing-portal')
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
    const exited = once(portal.child, 'exit')
    portal.child.kill('SIGTERM')
    expect((await exited)[0]).toBe(0)
    expect(portal.said()).toContain('The portal has stopped')

    fs.appendFileSync(path.join(unpacked, 'server/main.ts'), '\n')
    expect(install()).toMatchObject({ status: 1, stderr: expect.stringContaining('Not installed: a file is not') })
  },
)
