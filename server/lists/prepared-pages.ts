import type { CompiledQuery, QueryExecutorProvider, RawBuilder } from 'kysely'
import type { Bound, ParsedCriterion, ParsedElement, ParsedFilter } from '#domain/filter/parsed-filter.ts'
import type { ListFields, ListScope, ListSource } from '#server/lists/list-source.ts'
import { type PageBounds, type PageRecord, pageOf, pageStatement } from '#server/lists/page-statement.ts'

/** Connections on which PostgreSQL plans a named statement once, for all values (see `Pools.prepared`). */
export type PreparedPool = { connect(): Promise<PreparedConnection> }
export type PreparedConnection = {
  query(statement: string | { name: string; text: string; values: unknown[] }): Promise<{ rows: unknown[] }>
  release(): void
}

export type PreparedPages = {
  /** Undefined for a page that is not to be prepared. */
  read<S extends ListScope, F extends ListFields>(
    source: ListSource<S, F>,
    scope: S,
    filter: ParsedFilter,
    bounds: PageBounds,
  ): Promise<ReturnType<typeof pageOf> | undefined>
  /** The single row of another statement about the rows of a list; `about` identifies the statement. */
  queryRow<S extends ListScope, F extends ListFields, R>(
    source: ListSource<S, F>,
    scope: S,
    filter: ParsedFilter,
    about: string,
    statementFor: (scope: S, filter: ParsedFilter) => RawBuilder<R>,
  ): Promise<R | undefined>
}

/** Every connection keeps its statements. A caller who invents new attributes with each request replaces the oldest. */
const MAX_STATEMENTS = 100

/** Caches the text of a statement for all requests of one shape, which differ in their values only. */
export function preparedPages(db: QueryExecutorProvider, pool: PreparedPool): PreparedPages {
  const statements = leastRecentlyUsed()
  return {
    async read(source, scope, filter, bounds) {
      if (!isOrderPreparable(source, bounds) || !isPreparable(source, filter)) return undefined
      const values = new Slots()
      const shape = {
        scope: values.inScope(scope) as typeof scope,
        filter: values.inFilter(filter),
        bounds: bounds.cursor
          ? { ...bounds, cursor: bounds.cursor.map((value) => (value === null ? null : values.slotFor(value))) }
          : bounds,
      }
      const record = await run<PageRecord>([source.name, shape], values, () =>
        pageStatement(source, shape, shape.bounds),
      )
      return record && pageOf(record, bounds.limit)
    },

    async queryRow(source, scope, filter, about, statementFor) {
      if (!isPreparable(source, filter)) return undefined
      const values = new Slots()
      const shape = { scope: values.inScope(scope) as typeof scope, filter: values.inFilter(filter) }
      return run([source.name, about, shape], values, () => statementFor(shape.scope, shape.filter))
    },
  }

  async function run<R>(shape: unknown, values: Slots, statementFor: () => RawBuilder<R>): Promise<R | undefined> {
    const key = JSON.stringify(shape)
    const connection = await pool.connect()
    try {
      // Chosen only after a connection is available: while waiting, a statement may be evicted from it.
      const { name, text, parameters } = statements.get(key, () => statementFor().compile(db))
      await statements.dropFrom(connection, name)
      const { rows } = await connection.query({ name, text, values: values.of(parameters) })
      if (!rows[0]) throw new Error('an aggregate without a row')
      return rows[0] as R
    } finally {
      connection.release()
    }
  }
}

/** The driver keeps the text of every prepared statement, but its types do not declare where. */
function forgetText(connection: PreparedConnection, name: string): void {
  const { connection: driver } = connection as { connection?: { parsedStatements?: Record<string, string> } }
  delete driver?.parsedStatements?.[name]
}

/** An LRU cache of statements. Evicted ones are deallocated on each connection before it is used again. */
function leastRecentlyUsed() {
  const statements = new Map<string, Statement>()
  const names = new Set<string>()
  const preparedOn = new WeakMap<PreparedConnection, { names: Set<string>; seen: number }>()
  let made = 0
  let dropped = 0
  return {
    get(key: string, compile: () => CompiledQuery): Statement {
      const known = statements.get(key)
      // A map keeps the order of insertion, so the most recently used is last.
      statements.delete(key)
      const statement = known ?? make(compile)
      statements.set(key, statement)
      const [oldest] = statements
      if (statements.size > MAX_STATEMENTS && oldest) {
        statements.delete(oldest[0])
        names.delete(oldest[1].name)
        dropped++
      }
      return statement
    },

    async dropFrom(connection: PreparedConnection, next: string): Promise<void> {
      const on = preparedOn.get(connection) ?? { names: new Set<string>(), seen: dropped }
      preparedOn.set(connection, on)
      if (on.seen !== dropped) {
        on.seen = dropped
        for (const name of [...on.names].filter((name) => !names.has(name))) {
          on.names.delete(name)
          await connection.query(`deallocate "${name}"`)
          forgetText(connection, name)
        }
      }
      on.names.add(next)
    },
  }

  /** A name is never reused: the driver would take it for the earlier statement. */
  function make(compile: () => CompiledQuery): Statement {
    const { sql: text, parameters } = compile()
    const name = `page-${made++}`
    names.add(name)
    return { name, text, parameters }
  }
}

/**
 * Whether a generic plan serves these rows well. It does where only ranges of the fields that the list names decide about
 * them. It would make a search for text several times slower.
 */
function isPreparable<S extends ListScope, F extends ListFields>(
  { prepares = [] }: ListSource<S, F>,
  filter: ParsedFilter,
): boolean {
  const isRange = (element: ParsedElement) =>
    !('criteria' in element) &&
    (prepares as readonly string[]).includes(element.name) &&
    ['range', 'truth'].includes(element.check.kind)
  return filter.criteria.every(isRange)
}

function isOrderPreparable<S extends ListScope, F extends ListFields>(
  { prepares = [] }: ListSource<S, F>,
  { order, offset }: PageBounds,
): boolean {
  return offset === 0 && order[0] !== undefined && (prepares as readonly string[]).includes(order[0].name)
}

type Statement = { readonly name: string; readonly text: string; readonly parameters: readonly unknown[] }

/** No text that reaches the engine can contain it. */
const MARK = '\0'

/** Replaces values by placeholders. The rest is the shape of the request; the placeholders say where values go. */
class Slots {
  readonly #values: string[] = []

  /** Equal values share a slot, because a range from a value to itself is written differently. */
  slotFor(value: string): string {
    const known = this.#values.indexOf(value)
    return `${MARK}${known < 0 ? this.#values.push(value) - 1 : known}`
  }

  inScope(scope: ListScope): ListScope {
    return Object.fromEntries(
      Object.entries(scope).map(([name, value]) => [name, typeof value === 'string' ? this.slotFor(value) : value]),
    )
  }

  inFilter(filter: ParsedFilter): ParsedFilter {
    return {
      ...filter,
      criteria: filter.criteria.map((element) =>
        'criteria' in element ? this.inFilter(element) : this.#inCriterion(element),
      ),
    }
  }

  #inCriterion(criterion: ParsedCriterion): ParsedCriterion {
    const { check } = criterion
    if (check.kind !== 'range') return criterion
    const bound = (end: Bound) => ({ ...end, value: this.slotFor(end.value) })
    return {
      ...criterion,
      check: {
        ...check,
        ...(check.low ? { low: bound(check.low) } : {}),
        ...(check.high ? { high: bound(check.high) } : {}),
      },
    }
  }

  of(parameters: readonly unknown[]): unknown[] {
    return parameters.map((one) => (Array.isArray(one) ? this.of(one) : this.#valueOf(one)))
  }

  #valueOf(parameter: unknown): unknown {
    const isMark = typeof parameter === 'string' && parameter.startsWith(MARK)
    return isMark ? this.#values[Number(parameter.slice(MARK.length))] : parameter
  }
}
