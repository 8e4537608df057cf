import pg from 'pg'
import { vi } from 'vitest'

export type Sent = { readonly text: string; readonly values: readonly unknown[] }
type Told = { readonly node: string; readonly command: string }

let current: { sent: Sent[]; told: Told[] } | undefined

export const recording = {
  begin() {
    current = { sent: [], told: [] }
    return current
  },
  end() {
    current = undefined
  },
}

/** Records what passes through all connections of this process. Connections tell what Citus sends to the workers. */
export function recordStatements(): void {
  const watched = new WeakSet<pg.Client>()
  const query = pg.Client.prototype.query as (...given: unknown[]) => unknown
  vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (this: pg.Client, ...given: unknown[]) {
    if (!watched.has(this)) {
      watched.add(this)
      this.on('notice', ({ message = '', detail = '' }) => {
        const command = /^issuing (.*)/s.exec(message)?.[1]
        if (command) current?.told.push({ command, node: /@(\S+)/.exec(detail)?.[1] ?? '' })
      })
    }
    const [first, second] = given as [string | Sent, unknown[] | undefined]
    const statement = typeof first === 'string' ? { text: first, values: second ?? [] } : first
    current?.sent.push({ text: statement.text, values: Array.isArray(statement.values) ? statement.values : [] })
    return query.apply(this, given)
  } as never)
}
