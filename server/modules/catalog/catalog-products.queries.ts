import { type RawBuilder, sql } from 'kysely'

/** Products of the catalog, for a module that joins them to its own tables. */
export const catalogProducts: RawBuilder<unknown> = sql`(
  select part_number, daemon, feature_names, is_node_locked from product)`
