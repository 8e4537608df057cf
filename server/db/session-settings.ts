/**
 * What a connection begins with, so that settings of the role, the database or the server change nothing: where tables are
 * looked for, how texts of dates and bytes read, and what happens where a statement leaves it open.
 */
export const SESSION_SETTINGS = [
  `search_path = public`,
  `timezone = 'UTC'`,
  `datestyle = 'ISO, MDY'`,
  `intervalstyle = 'postgres'`,
  `bytea_output = 'hex'`,
  `client_encoding = 'UTF8'`,
  `standard_conforming_strings = on`,
  `extra_float_digits = 1`,
  `default_transaction_isolation = 'read committed'`,
  `lock_timeout = 0`,
  // Only read by sharded installations. Triggers of customers' tables run on the shards, where each writes rows of its
  // own customer only. Changes of several shards run sequentially: otherwise creating a month would wait for itself.
  `citus.enable_unsafe_triggers = on`,
  `citus.multi_shard_modify_mode = 'sequential'`,
]
  .map((setting) => `set ${setting}`)
  .join('; ')
