import { createHash } from 'node:crypto'
import type { CompiledQuery, QueryExecutorProvider, RawBuilder } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Bound, ParsedCriterion, ParsedElement, ParsedFilter } from '#domain/filter/parsed-filter.ts'
import type { ListFields, ListScope, ListSource } from '#server/lists/list-source.ts'
import { type PageBounds, type PageRecord, pageOf, pageStatement } from '#server/lists/page-statement.ts'

/** Connections on which PostgreSQL plans a named statement once, for all values (see `Pools.prepared`). */
export type PreparedPool = { connect(): Promise<PreparedConnection> }
export type PreparedConnection = {
  query(statement: { name: string; text: string; values: unknown[] }): Promise<{ rows: unknown[] }>
  release(destroy: boolean): void
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

/** Of the cache and of each connection: a caller may invent new attributes with each request. */
const MAX_STATEMENTS = 100

/** Caches the text of a statement for all requests of one shape, which differ in their values only. */
export function preparedPages(db: QueryExecutorProvider, pool: PreparedPool): PreparedPages {
  const statements = new LRUCache<string, Statement>({ max: MAX_STATEMENTS })
  const preparedOn = new WeakMap<PreparedConnection, Set<string>>()
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
    const statement = statements.get(key) ?? toStatement(statementFor().compile(db))
    statements.set(key, statement)
    const { name, text, parameters } = statement
    const connection = await pool.connect()
    const names = preparedOn.get(connection) ?? new Set()
    preparedOn.set(connection, names.add(name))
    try {
      const { rows } = await connection.query({ name, text, values: values.of(parameters) })
      if (!rows[0]) throw new Error('an aggregate without a row')
      return rows[0] as R
    } finally {
      // The driver keeps the names of a connection's statements for as long as the connection lives.
      connection.release(names.size >= MAX_STATEMENTS)
    }
  }
}

/** The driver takes equal names for equal statements, so the text decides the name. */
function toStatement({ sql: text, parameters }: CompiledQuery): Statement {
  return { name: `page-${createHash('sha256').update(text).digest('base64url')}`, text, parameters }
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
