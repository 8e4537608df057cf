import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { whoami } from '#contract/service/whoami.ts'
import { systemClock } from '#server/doors/clock.ts'
import { freshDatabase } from '#server/testing/database.ts'
import { startPortalProcess } from '#server/testing/portal-process.ts'
import { giveServiceKey } from '#server/testing/service-keys.ts'
import { walkableDirectory } from '#server/testing/walkable-directory.ts'

const ROOT = path.join(import.meta.dirname, '..')
const STEPS = 'server/migrations/steps'
/** What makes the schema: put over the previous release, it runs on the tables of today. */
const SCHEMA = ['server/migrations', 'server/db/migrate.ts']
/** Tests that read: every list with its pages, exports and counts, and what screens show first. */
const READING = ['list', 'search', 'home', 'export', 'statements', 'access-matrix']
/** Minutes: it runs the reading tests of another version. */

const git = (...args: string[]) => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim()

/** The newest tag `v…`, otherwise the commit before the newest step. Undefined without the history. */
function findPrevious(): string | undefined {
  try {
    const tag = git('tag', '--list', 'v*', '--sort=-version:refname').split('\n')[0]
    if (tag) return tag
    const [newest] = git('log', '--format=%H', '--diff-filter=A', '--', STEPS).split('\n')
    return newest ? git('rev-parse', `${newest}^`) : undefined
  } catch {
    return undefined
  }
}

/** The code of a commit, with the dependencies of today. */
function unpack(commit: string): string {
  const directory = walkableDirectory('previous')
  onTestFinished(() => fs.rmSync(directory, { recursive: true, force: true }))
  const archive = path.join(directory, 'release.tar')
  git('archive', '--output', archive, commit)
  execFileSync('tar', ['-xf', archive, '-C', directory])
  fs.symlinkSync(path.join(ROOT, 'node_modules'), path.join(directory, 'node_modules'))
  fs.cpSync(path.join(ROOT, 'dist'), path.join(directory, 'dist'), { recursive: true })
  return directory
}

test('the previous release starts on the schema of this one, and its reading tests pass there', async (context) => {
  const previous = findPrevious()
  if (!previous) return context.skip('no git history: the previous release was not tried')
  const directory = unpack(previous)

  const database = await freshDatabase()
  onTestFinished(() => database.close())
  const { headers } = await giveServiceKey({ db: database.db, clock: systemClock }, 'a client')
  const portal = await startPortalProcess(database.connection, {}, directory)
  onTestFinished(() => portal.kill())
  expect((await fetch(portal.origin + whoami.path, { headers })).status).toBe(200)
  await portal.stop()

  for (const part of SCHEMA) {
    fs.rmSync(path.join(directory, part), { recursive: true })
    fs.cpSync(path.join(ROOT, part), path.join(directory, part), { recursive: true })
  }
  const vitest = path.join(directory, 'node_modules/vitest/vitest.mjs')
  const run = spawn(process.execPath, [vitest, 'run', '--project', 'server', ...READING], {
    cwd: directory,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(() => void run.kill('SIGKILL'))
  let said = ''
  for (const stream of [run.stdout, run.stderr]) stream.setEncoding('utf8').on('data', (text) => (said += text))
  const [code] = await once(run, 'close')
  console.log(`previous release ${previous.slice(0, 12)}:`, said.trim().split('\n').slice(-6).join('\n'))
  expect(code, said.slice(-20_000)).toBe(0)
})
