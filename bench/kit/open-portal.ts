import { Kysely, PostgresDialect } from 'kysely'
import { freePort } from '#bench/kit/free-port.ts'
import { signedIn } from '#bench/kit/portal-session.ts'
import type { Operation } from '#contract/kit/operation.ts'
import { buildApp } from '#server/app.ts'
import { readConfig } from '#server/config.ts'
import type { DB } from '#server/db/schema.ts'
import { systemClock } from '#server/doors/clock.ts'
import { type Installation, openInstallation } from '#server/installation.ts'

/** Starts the portal with its own database, which the first run fills, and signs in a person of business operations. */
export async function openPortal(directory: string, fill: (installation: Installation) => Promise<void>) {
  const port = await freePort()
  const config = readConfig({
    PORT: String(port),
    DATA_DIR: directory,
    LOG_LEVEL: 'silent',
    RATE_LIMIT: '1000000000',
  })
  const installation = await openInstallation(config, { log: console.log })
  const { db, pool } = installation
  await fill(installation)
  const cookie = await signedIn({ db }, 'bench@vendor.example', ['busops'])
  const app = await buildApp({ ...installation, config, clock: systemClock, people: [] })
  await app.listen({ port, host: '127.0.0.1' })

  async function ask({ path }: Operation, body: object): Promise<string> {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie, 'x-requested-with': 'portal' },
      body: JSON.stringify(body),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text.slice(0, 300)}`)
    return text
  }

  /** A multipart form; the file comes last, because the server reads the fields before it. */
  async function send(
    { path }: Operation,
    { file, ...fields }: { readonly file: Uint8Array<ArrayBuffer>; readonly [name: string]: unknown },
  ): Promise<void> {
    const form = new FormData()
    for (const [name, value] of Object.entries(fields)) form.append(name, String(value))
    form.append('file', new Blob([file]), 'file')
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      method: 'POST',
      headers: { cookie, 'x-requested-with': 'portal' },
      body: form,
    })
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${(await answer.text()).slice(0, 300)}`)
  }

  return {
    send,
    pool,
    /** A whole request that is answered with a file. */
    ask,
    /** A whole request, from this process to the portal and back. */
    async post(operation: Operation, body: object): Promise<string> {
      const text = await ask(operation, body)
      if (!text.startsWith('{"status":"SUCCESS"')) throw new Error(`${operation.path}: ${text.slice(0, 300)}`)
      return text
    },
    /** The SQL that a query sends, to be sent again without the portal around it. */
    async statementOf(query: (watched: Kysely<DB>) => Promise<unknown>): Promise<() => Promise<unknown>> {
      const seen: { sql: string; parameters: readonly unknown[] }[] = []
      const watched = new Kysely<DB>({
        dialect: new PostgresDialect({ pool }),
        log: (event) => {
          seen.push({ sql: event.query.sql, parameters: event.query.parameters })
        },
      })
      await query(watched)
      const [statement] = seen
      if (!statement) throw new Error('no SQL was seen')
      return () => pool.query(statement.sql, [...statement.parameters])
    },
    async close(): Promise<void> {
      await app.close()
      await installation.close()
    },
  }
}
