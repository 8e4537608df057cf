import { AsyncLocalStorage } from 'node:async_hooks'
import pg from 'pg'

/** A statement as it went to the database, and what it was sent for. */
export type Recorded = { readonly during: string; readonly text: string; readonly values: unknown[] }
/** What the coordinator said to a node, and for what; told only to connections with `citus.log_remote_commands`. */
export type Told = { readonly during: string; readonly node: string; readonly command: string }

type Send = (...parts: unknown[]) => unknown

/**
 * Records what is sent to any database until it is closed. Connections that are open already are not recorded, so begin before
 * a portal is started. What is started outside of `during`, such as the jobs of a portal, belongs to nobody and is left out.
 */
export function recordStatements() {
  const { prototype } = pg.Client
  const send = prototype.query as Send
  const now = new AsyncLocalStorage<string>()
  const recorded: Recorded[] = []
  const told: Told[] = []
  /** What each connection sent its last statement for. */
  const sentFor = new WeakMap<pg.Client, string | undefined>()
  prototype.query = function (this: pg.Client, ...parts: unknown[]) {
    if (!sentFor.has(this))
      this.on('notice', ({ message = '', detail = '' }) => {
        const command = /^issuing (.*)/s.exec(message)?.[1]
        const purpose = sentFor.get(this)
        if (command && purpose !== undefined)
          told.push({ during: purpose, command, node: /@(\S+)/.exec(detail)?.[1] ?? '' })
      })
    const during = now.getStore()
    sentFor.set(this, during)
    const [statement, values] = parts
    const { text, values: own } = typeof statement === 'string' ? { text: statement } : (statement as pg.QueryConfig)
    if (during !== undefined) recorded.push({ during, text, values: own ?? (Array.isArray(values) ? values : []) })
    return send.apply(this, parts)
  } as typeof prototype.query
  return {
    recorded,
    told,
    during: <T>(what: string, work: () => Promise<T>): Promise<T> => now.run(what, work),
    close() {
      prototype.query = send as typeof prototype.query
    },
  }
}
