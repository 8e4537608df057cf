import { execFileSync } from 'node:child_process'
import fs from 'node:fs'

type BuildInfo = { version: string; commit: string; text: string }

/** Version of the package and, in a checkout, the commit; what the footer shows. */
export const BUILD_INFO = read()

function read(): BuildInfo {
  const root = new URL('../../../', import.meta.url)
  const { version } = JSON.parse(fs.readFileSync(new URL('package.json', root), 'utf8')) as { version: string }
  const commit = readCommit(root)
  return { version, commit, text: commit ? `${version} (${commit})` : version }
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
