import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { until } from '#server/testing/until.ts'
import { run, signalAll } from './command.ts'

test('the output of a program is kept, and its exit code decides whether it passed', async () => {
  expect(await run(['node', '-e', 'console.log("out"); console.error("err")'])).toEqual({
    ok: true,
    output: expect.stringMatching(/out\n/),
  })
  const failed = await run(['node', '-e', 'console.error("err"); process.exit(3)'])
  expect(failed).toEqual({ ok: false, output: 'err\n' })
})

test('a program that does not exist fails by name', async () => {
  const { ok, output } = await run(['no-such-program'])
  expect(ok).toBe(false)
  expect(output).toContain('no-such-program could not be started')
})

test('programs run on the pinned Node and see the given environment', async () => {
  const { output } = await run(['node', '-p', 'process.env.FULL + process.execPath'], { FULL: '1' })
  expect(output).toMatch(/^1.*node_modules/)
})

test('a signal ends a program together with what it started', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'command-test-'))
  const begun = join(folder, 'begun')
  const grandchild = `require('node:fs').writeFileSync(process.argv[1], ''); setInterval(() => {}, 1000)`
  const child = `require('node:child_process').spawn(process.execPath, ['-e', ...process.argv.slice(1)], { stdio: 'inherit' })`
  const finished = run(['node', '-e', child, grandchild, begun])
  await until(() => existsSync(begun), 'the program did not begin')
  signalAll('SIGINT')
  // The grandchild holds the same pipes, and a program has not ended before they are closed.
  expect(await finished).toEqual({ ok: false, output: expect.stringContaining('SIGINT') })
  rmSync(folder, { recursive: true })
})
