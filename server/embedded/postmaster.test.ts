import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'
import { stopPostmaster } from '#server/embedded/postmaster.ts'

/** Ends when it receives this signal, and ignores the others. */
async function deafServer(hears: 'INT' | 'QUIT', times = 1) {
  const script = `n=0; trap '' INT QUIT; trap 'n=$((n+1)); [ $n -ge ${times} ] && exit 7' ${hears}; echo up; while :; do sleep 0.02; done`
  const child = spawn('sh', ['-c', script], { stdio: ['ignore', 'pipe', 'ignore'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  await once(child.stdout, 'data')
  const ended = once(child, 'exit').then(([code]) => code as number)
  return { pid: child.pid as number, ended }
}

const QUICKLY = { again: 30, atOnce: 300, longest: 20_000 }
const quietly = () => {}

test('sends the fast shutdown again when the signal is lost', async () => {
  const { pid, ended } = await deafServer('INT', 3)
  await stopPostmaster(pid, quietly, { ...QUICKLY, atOnce: 20_000 })
  expect(await ended).toBe(7)
})

test('requests an immediate shutdown when the server ignores the fast one', async () => {
  const { pid, ended } = await deafServer('QUIT')
  await stopPostmaster(pid, quietly, QUICKLY)
  expect(await ended).toBe(7)
})

test('stopping a server that has already ended succeeds', async () => {
  const { pid, ended } = await deafServer('INT')
  process.kill(pid, 'SIGINT')
  await ended
  await stopPostmaster(pid, quietly, QUICKLY)
})
