import { type RawBuilder, sql } from 'kysely'

/**
 * Names the customers of a batch in a relation that is joined with the keys of the batch. On shards, a statement without
 * it goes to every node, and fails for everybody while one of them is dead.
 */
export const namesCustomers = (alias: string, numbers: readonly unknown[]): RawBuilder<boolean> =>
  sql<boolean>`${sql.ref(`${alias}.customer_number`)} = any (${[...new Set(numbers.map(String))]})`
