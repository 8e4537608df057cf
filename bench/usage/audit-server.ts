import pg from 'pg'
import { settingsOfChild } from '#bench/kit/child-server.ts'

type Send = (statement: { readonly name?: string }, ...more: unknown[]) => unknown

/** The portal, with some prepared statements answered with no rows instead of being sent to PostgreSQL. */
const { leftOut } = settingsOfChild<{ leftOut: readonly string[] }>()
const prototype = pg.Client.prototype as unknown as { query: Send }
const send = prototype.query
prototype.query = function query(this: unknown, statement, ...more) {
  if (statement.name === undefined || !leftOut.includes(statement.name)) return send.call(this, statement, ...more)
  return Promise.resolve({ rows: [], rowCount: 0 })
}
await import('#bench/usage/portal-server.ts')
