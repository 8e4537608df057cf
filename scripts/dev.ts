import { spawn } from 'node:child_process'
import { createServer } from 'vite'

/** Cookies belong to one host name, so both servers are called by this one only. */
const HOST = '127.0.0.1'
const apiPort = process.env.PORT ?? '8080'

// vite.config.ts passes everything that is not a screen on to this address.
process.env.PORTAL_API = `http://${HOST}:${apiPort}`
const screens = await createServer({ configFile: 'vite.config.ts', clearScreen: false, server: { host: HOST } })
await screens.listen()
const address = screens.resolvedUrls?.local[0]
if (!address) throw new Error('Vite did not say where it listens')

const portal = spawn(process.execPath, ['--watch', '--watch-preserve-output', 'server/main.ts'], {
  stdio: 'inherit',
  // Sign-in must come back to where the screens are, and no load balancer has to notice a restart.
  env: { ...process.env, PORT: apiPort, HOST, PUBLIC_URL: address, DRAIN_SECONDS: '0' },
})
console.log(`\nOpen ${address} (screens reload by themselves, the server restarts on every change; Ctrl-C ends both)\n`)

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => portal.kill('SIGTERM'))

portal.on('exit', async (code) => {
  await screens.close()
  process.exit(code ?? 0)
})
