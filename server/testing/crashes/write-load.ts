import { setTimeout as sleep } from 'node:timers/promises'
import { openDatabase } from '#server/db/database.ts'
import { ensureDatabase } from '#server/db/migrate.ts'
import { StartupError, startEmbedded } from '#server/embedded/supervisor.ts'
import type { WriteLoadMessage } from '#server/testing/crashes/write-load-process.ts'

/**
 * A minimal portal in a separate process that tests can kill: it starts the embedded server, writes rows with several
 * concurrent writers, and prints what the database has acknowledged.
 */
const [dataDir = '', writers = '0'] = process.argv.slice(2)
const say = (message: WriteLoadMessage) => process.stdout.write(`${JSON.stringify(message)}\n`)

const embedded = await startEmbedded(dataDir, (log) => say({ log })).catch((error: Error) => {
  say({ refused: error instanceof StartupError ? error.message : String(error.stack) })
  process.exit(1)
})
await ensureDatabase(embedded.connection, 'load')
const connection = { ...embedded.connection, database: 'load' }
const { pool } = openDatabase(connection)
await pool.query('create table if not exists entry (id text primary key)')
say({ ready: { connection, adopted: embedded.adopted, where: embedded.where } })

let open = true
const running = Array.from({ length: Number(writers) }, async (_, writer) => {
  for (let number = 0; open; number++) {
    const id = `${process.pid}-${writer}-${number}`
    try {
      await pool.query('insert into entry (id) values ($1)', [id])
      say({ acknowledged: id })
    } catch {
      // This row was not acknowledged. The pause keeps the log of refusals short.
      await sleep(20)
    }
  }
})

process.once('SIGTERM', async () => {
  open = false
  await Promise.all(running)
  await pool.end()
  await embedded.stop()
  process.exit(0)
})
