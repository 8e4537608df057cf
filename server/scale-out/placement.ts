/*
 * Where the tables of a sharded installation are (docs/decisions/0011). Every table that is not named here belongs to
 * customers and is distributed by the customer number, co-located with the others: all rows of one customer are on one
 * node.
 */

/** Every node has all rows, so that statements about a customer can join them. They are read often and written seldom. */
export const REFERENCE_TABLES: readonly string[] = [
  'activation_owner',
  // A plan holds the license servers of several customers.
  'busy_host',
  'device_owner',
  'elastic_rate',
  'feature',
  'feature_conflict',
  'fsa_price',
  'installation_secret',
  'person',
  'person_feature',
  'product',
  // Rows of this table connect several customers.
  'shared_server_member',
  'signing_key',
]

/** On the coordinator only: no statement about a customer joins them. */
export const LOCAL_TABLES: readonly string[] = [
  'alert',
  'demo_part',
  'idempotent_answer',
  'mail_brake',
  'migration',
  'outbox_message',
  'recovery_run',
  'service_key',
  'session',
  'session_token',
  'sign_in_attempt',
  'staff_role',
  // The servers that these guesses name do not exist, so they belong to no customer.
  'unknown_pin_failure',
  'unknown_pin_guessing',
  'usage_archive',
]

export type Placement = 'reference' | 'local' | 'customer'

export const placementOf = (table: string): Placement =>
  REFERENCE_TABLES.includes(table) ? 'reference' : LOCAL_TABLES.includes(table) ? 'local' : 'customer'
