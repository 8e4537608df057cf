/*
 * Where the tables of a sharded installation are (docs/decisions/0011). Every table that is not named here belongs to
 * customers and is distributed by the customer number, co-located with the others: all rows of one customer are on one
 * node.
 */

/**
 * Every node has all rows, so that statements about a customer can join them. They are read often and written seldom:
 * writing needs every node, so no customer's call writes them while one of the nodes is dead.
 */
export const REFERENCE_TABLES: readonly string[] = [
  'elastic_rate',
  'fsa_price',
  'installation_secret',
  'product',
  // Rows of this table connect several customers.
  'shared_server_member',
  'signing_key',
]

/** On the coordinator only: no statement about a customer joins them. They can be written while a worker is dead. */
export const LOCAL_TABLES: readonly string[] = [
  // An id belongs to one customer of all, so it is claimed in one place.
  'activation_owner',
  'alert',
  // A token is found by its hash, before its customer is known.
  'api_token',
  'api_token_policy',
  // The owner's setting, read by a function on the coordinator.
  'audit_retention',
  // A plan holds the license servers of several customers.
  'busy_host',
  'demo_part',
  'device_owner',
  'feature',
  'feature_conflict',
  'idempotent_answer',
  // A start knows whether it has to wait for others of its account before it reads a table of customers.
  'limited_account',
  'mail_brake',
  'migration',
  'outbox_message',
  // Written at every sign-in.
  'person',
  'person_feature',
  'person_view',
  'portal_process',
  // The accounts that a person has opened are read when the portal is loaded.
  // Sign-ins find the provider of their account by it.
  'proven_domain',
  'recent_account',
  'recovery_run',
  'service_key',
  'session',
  'session_token',
  'sign_in_attempt',
  'staff_role',
  'table_preference',
  // The servers that these guesses name do not exist, so they belong to no customer.
  'unknown_pin_failure',
  'unknown_pin_guessing',
  'usage_archive',
]

export type Placement = 'reference' | 'local' | 'customer'

export const placementOf = (table: string): Placement =>
  REFERENCE_TABLES.includes(table) ? 'reference' : LOCAL_TABLES.includes(table) ? 'local' : 'customer'

/** Whether the nodes can check a foreign key: the row that it names has to be on the node of the row that has it. */
export const isCheckable = (from: string, to: string): boolean =>
  placementOf(to) === 'reference' || placementOf(from) === placementOf(to)
