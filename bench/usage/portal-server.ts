import fs from 'node:fs'
import type pg from 'pg'
import { reportAsChild, settingsOfChild } from '#bench/kit/child-server.ts'
import { freePort } from '#bench/kit/free-port.ts'
import { buildApp } from '#server/app.ts'
import { readConfig } from '#server/config.ts'
import { openDatabase } from '#server/db/database.ts'
import { systemClock } from '#server/doors/clock.ts'
import { rememberCallers } from '#server/identity/remembered-callers.ts'

type Settings = { connection: pg.PoolConfig; dataDir: string; settings?: Record<string, string> }

/** The whole portal as it starts in the product; only the rate limit is lifted, unless the settings say otherwise. */
const { connection, dataDir, settings } = settingsOfChild<Settings>()
// Every start of a task asks how much room this folder has.
fs.mkdirSync(dataDir, { recursive: true })
const port = await freePort()
const config = readConfig({ PORT: String(port), RATE_LIMIT: '1000000000', DATA_DIR: dataDir, ...settings })
const app = await buildApp({
  ...openDatabase(connection),
  config,
  clock: systemClock,
  people: [],
  callers: rememberCallers,
})
await app.listen({ port, host: '127.0.0.1' })
reportAsChild(port)
