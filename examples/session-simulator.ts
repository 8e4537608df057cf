/**
 * Drives thousands of sessions against a portal, for demos and load tests:
 *
 *   SERVICE_KEY=lpk_… node examples/session-simulator.ts <server id> <PIN> [--sessions 2000] [--at-once 50]
 *     [--portal http://127.0.0.1:8080] [--heartbeats 2] [--seconds 0] [--product "Fluid Flow Pro" …]
 *
 * Every session is started, kept by some heartbeats and ended. `--seconds` spreads a session over that time; the default
 * is as fast as the portal answers. The products must be in the rate table of the account. At the end it prints calls per
 * second, percentiles, and denials by their code; it fails if not one session could be run.
 */
import { parseArgs } from 'node:util'
import { SessionClient, SessionRefusedError } from './session-client.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    portal: { type: 'string', default: process.env.PORTAL_URL ?? 'http://127.0.0.1:8080' },
    sessions: { type: 'string', default: '2000' },
    'at-once': { type: 'string', default: '50' },
    heartbeats: { type: 'string', default: '2' },
    seconds: { type: 'string', default: '0' },
    product: { type: 'string', multiple: true, default: ['Fluid Flow Pro', 'HPC Pack', 'Fluid Meshing'] },
  },
})
const [serverId, pin] = positionals
const { SERVICE_KEY } = process.env
if (!serverId || !pin || !SERVICE_KEY) {
  console.error('Usage: SERVICE_KEY=lpk_… node examples/session-simulator.ts <server id> <PIN> [--sessions 2000] …')
  process.exit(2)
}

const PRODUCTS_NEEDED = `The rate table of the account needs these products: ${values.product.join(', ')}. Choose others with --product.`
console.log(`Products: ${values.product.join(', ')}. The rate table of the account must have them.`)

const client = new SessionClient(values.portal, SERVICE_KEY)
const sessions = Number(values.sessions)
const heartbeats = Number(values.heartbeats)
const pause = (Number(values.seconds) * 1000) / (heartbeats + 1)
const times = { start: [] as number[], heartbeat: [] as number[], end: [] as number[] }
const refusals = new Map<string, number>()
let charged = 0n
let next = 0

async function timed<T>(kind: keyof typeof times, act: () => Promise<T>): Promise<T> {
  const begun = performance.now()
  const answer = await act()
  times[kind].push(performance.now() - begun)
  return answer
}

const rest = () => (pause > 0 ? new Promise((resolve) => setTimeout(resolve, pause)) : undefined)

async function oneSession(number: number): Promise<void> {
  const { sessionId } = await timed('start', () =>
    client.start({
      serverId: serverId as string,
      pin: pin as string,
      username: `user-${number % 200}`,
      host: `ws-${number % 300}`,
      product: values.product[number % values.product.length] as string,
      count: 1 + (number % 3),
      project: `project-${number % 12}`,
      version: '2026 R1',
      externalIp: `192.0.2.${1 + (number % 200)}`,
    }),
  )
  for (let beat = 0; beat < heartbeats; beat++) {
    await rest()
    await timed('heartbeat', () => client.heartbeat(sessionId))
  }
  await rest()
  const { charge } = await timed('end', () => client.end(sessionId))
  // Hundredths of a unit are whole numbers, so the total is exact.
  charged += BigInt(charge.replace('.', ''))
}

async function worker(): Promise<void> {
  while (next < sessions) {
    try {
      await oneSession(next++)
    } catch (error) {
      const code = error instanceof SessionRefusedError ? error.code : String(error)
      refusals.set(code, (refusals.get(code) ?? 0) + 1)
    }
  }
}

const begun = performance.now()
await Promise.all(Array.from({ length: Math.min(sessions, Number(values['at-once'])) }, worker))
const elapsed = (performance.now() - begun) / 1000

console.log(`${sessions} sessions in ${elapsed.toFixed(1)} s, ${Number(charged) / 100} units charged`)
for (const [kind, taken] of Object.entries(times)) {
  taken.sort((one, other) => one - other)
  const at = (part: number) => taken[Math.min(taken.length - 1, Math.floor(taken.length * part))]?.toFixed(1) ?? '–'
  console.log(`${kind.padEnd(9)} ${taken.length} calls, median ${at(0.5)} ms, 95 % ${at(0.95)} ms, 99 % ${at(0.99)} ms`)
}
for (const [code, count] of refusals) console.log(`${code.padEnd(9)} ${count} denied or failed`)
if (times.end.length === 0) {
  console.error(`Not one session could be run. ${refusals.has('UNKNOWN_PRODUCT') ? PRODUCTS_NEEDED : ''}`)
  process.exitCode = 1
}
