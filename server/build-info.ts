import { execFileSync } from 'node:child_process'
import fs from 'node:fs'

type BuildInfo = { version: string; commit: string; text: string; command: string }

/**
 * Version and commit, which the footer shows, and what an operator types to run a command. A packaged portal has its commit
 * written down; a checkout asks git.
 */
export const BUILD_INFO = read()

function read(): BuildInfo {
  const root = new URL('../', import.meta.url)
  const { version, commit = readCommit(root) } = JSON.parse(fs.readFileSync(new URL('package.json', root), 'utf8')) as {
    version: string
    commit?: string
  }
  return { version, commit, text: commit ? `${version} (${commit})` : version, command: commandOf(root) }
}

/** install.sh links the settings of the service; scripts/package makes bin/portal. */
function commandOf(root: URL): string {
  if (fs.lstatSync(new URL('settings.env', root), { throwIfNoEntry: false }))
    return 'sudo /opt/licensing-portal/current/bin/portal'
  return fs.existsSync(new URL('bin/portal', root)) ? 'bin/portal' : 'npm run portal --'
}

function readCommit(root: URL): string {
  try {
    return execFileSync('git', ['log', '-1', '--format=%h'], {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim()
  } catch {
    return ''
  }
}
