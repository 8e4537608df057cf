/** What an endpoint can be told of, in the order of the screen. The names follow the Standard Webhooks specification. */
export const EVENT_TYPES = [
  { type: 'seats.activated', label: 'Seats activated' },
  { type: 'seats.returned', label: 'Seats returned' },
  { type: 'seats.moved', label: 'Seats moved to another license server' },
  { type: 'license_file.generated', label: 'License file generated' },
  { type: 'entitlement.added', label: 'Entitlement added' },
  { type: 'entitlement.changed', label: 'Entitlement changed' },
  { type: 'entitlement.ending', label: 'Entitlement ends in 30, 7 or 0 days' },
  { type: 'balance.low', label: 'Balance below a threshold' },
  { type: 'spending_account.ordered', label: 'Order from a spending account' },
  { type: 'session.denied', label: 'Elastic session denied' },
  { type: 'limit.reached', label: 'Limit reached' },
  { type: 'limit.refused', label: 'Elastic session refused by a limit' },
  { type: 'checkout.denied', label: 'Web license checkout denied' },
  { type: 'license_server.denied', label: 'License server had no free seat' },
  { type: 'license_server.silent', label: 'License server no longer reports' },
  { type: 'seat.free', label: 'Seat free for the first in line' },
  { type: 'contact.added', label: 'Contact added' },
  { type: 'contact.removed', label: 'Contact removed' },
] as const

export type EventType = (typeof EVENT_TYPES)[number]['type']

/** Sent on request only, so nobody can choose it. */
export const TEST_EVENT = 'webhook.test'

/** Days before the end of an entitlement: on day 0 it can be used for the last time. */
export const ENDING_DAYS = [30, 7, 0] as const

const LABELS: ReadonlyMap<string, string> = new Map(EVENT_TYPES.map(({ type, label }) => [type, label]))

export const isEventType = (type: string): type is EventType => LABELS.has(type)

export const eventLabel = (type: string): string => LABELS.get(type) ?? (type === TEST_EVENT ? 'Test event' : type)
