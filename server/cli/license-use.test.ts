import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { runWords } from '#server/cli/run-words.ts'
import { CHILD_ENVIRONMENT } from '#server/testing/child-environment.ts'

let folder: string
beforeAll(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'license-use-'))
})
afterAll(() => fs.rmSync(folder, { recursive: true }))

async function read(...files: string[]) {
  const said = { stdout: '', stderr: '' }
  const output = (name: keyof typeof said) => ({
    write: (text: string) => {
      said[name] += text
    },
  })
  const status = await runWords(['license-use', 'read', ...files], {
    env: {},
    stdout: output('stdout'),
    stderr: output('stderr'),
  })
  return { status, ...said }
}

function written(name: string, text: string): string {
  const file = path.join(folder, name)
  fs.writeFileSync(file, text)
  return file
}

const LOG = '10:00:00 (lmgrd) TIMESTAMP 3/9/2026\n10:00:01 (sim) OUT: "solver" ann@pc  \n'

test('prints what is understood of a debug log as JSON, without an installation', async () => {
  const { status, stdout } = await read(written('debug.log', LOG))
  expect(status).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({
    file: 'debug.log',
    kind: 'log',
    checkouts: [{ feature: 'solver', user: 'ann', host: 'pc', out: '2026-03-09T10:00:01', in: null }],
    summary: { checkouts: 1, stillOpen: 1 },
  })
})

test('reads rotated files as one log, whose overlap counts once', async () => {
  const older = written(
    'debug.log.1',
    `${LOG}10:00:02 (sim) OUT: "solver" eve@pc  \n10:00:03 (sim) DENIED: "solver" joe@pc  (No (-4,342))\n`,
  )
  const newer = written(
    'debug.log.0',
    `${LOG}10:00:02 (sim) OUT: "solver" eve@pc  \n10:00:05 (sim) IN: "solver" eve@pc  \n10:00:06 (sim) IN: "solver" ann@pc  \n`,
  )
  const last = written('debug.log', '12:00:00 (lmgrd) TIMESTAMP 31/12/2026\n12:00:01 (sim) IN: "solver" joe@pc  \n')
  const { status, stdout } = await read(last, older, newer)
  expect(status).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({
    files: ['debug.log', 'debug.log.1', 'debug.log.0'],
    kind: 'log',
    checkouts: [
      { user: 'ann', out: '2026-09-03T10:00:01', in: '2026-09-03T10:00:06' },
      { user: 'eve', out: '2026-09-03T10:00:02', in: '2026-09-03T10:00:05' },
      { user: 'joe', out: null, in: '2026-12-31T12:00:01' },
    ],
    denials: [{ user: 'joe', repeatOf: null }],
    problems: [{ file: 'debug.log', line: 1, code: 'day-first' }],
    summary: { checkouts: 3, stillOpen: 0 },
  })
})

test('reads logs that name different license servers apart', async () => {
  const logs = ['lic1', 'lic2'].map((name) =>
    written(`${name}.log`, `${LOG}10:00:02 (lmgrd) FlexNet Licensing (v11) started on ${name} (linux) (3/9/2026)\n`),
  )
  expect(JSON.parse((await read(...logs)).stdout)).toMatchObject([
    { file: 'lic1.log', servers: ['lic1'] },
    { file: 'lic2.log', servers: ['lic2'] },
  ])
})

test('prints a list for several files, and refuses what no FlexNet license server writes', async () => {
  const { status, stdout, stderr } = await read(written('debug.log', LOG), written('other.txt', 'rlmutil v12.2\n'))
  expect(status).toBe(1)
  expect(JSON.parse(stdout)).toMatchObject([{ kind: 'log' }, { file: 'other.txt', kind: 'unknown', refused: true }])
  expect(stderr).toContain('other.txt: not lmstat output')
})

test.each([
  ['without a file', [], '<file> is missing'],
  ['with a file that is not there', ['/nowhere.log'], '/nowhere.log cannot be read'],
  ['with an option', ['--all'], 'Unexpected argument: --all'],
])('is called wrongly %s', async (_, words, message) => {
  const { status, stderr } = await read(...words)
  expect(status).toBe(2)
  expect(stderr).toContain(message)
})

/** The command as a process, with its output in a pipe. */
function readInProcess(file: string) {
  const child = spawn(process.execPath, ['server/cli/main.ts', 'license-use', 'read', file], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: CHILD_ENVIRONMENT,
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  return { child, ended: once(child, 'exit') }
}

const LARGE_LOG = `${LOG}${'10:00:02 (sim) OUT: "solver" ann@pc  \n'.repeat(10_000)}`

test('prints more than a pipe holds to a slow reader', async () => {
  const { child, ended } = readInProcess(written('large.log', LARGE_LOG))
  let printed = ''
  for await (const piece of child.stdout) {
    printed += piece
    await turn()
  }
  expect((await ended)[0]).toBe(0)
  expect(printed.length).toBeGreaterThan(1_000_000)
  expect(JSON.parse(printed).summary.checkouts).toBe(10_001)
})

test('ends with 1 and without a stack trace when its reader has seen enough', async () => {
  const { child, ended } = readInProcess(written('large.log', LARGE_LOG))
  child.stdout.once('data', () => child.stdout.destroy())
  let said = ''
  for await (const piece of child.stderr) said += piece
  expect((await ended)[0]).toBe(1)
  expect(said).toBe('')
})
