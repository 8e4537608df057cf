import type { AccountGrant } from '#domain/access/roles.ts'

/** What gives somebody, or a program, access to an account. */
export const ACCESS_KINDS = ['contact', 'web-user', 'grant', 'token', 'calendar', 'webhook'] as const
export type AccessKind = (typeof ACCESS_KINDS)[number]

export const KIND_TEXTS: Readonly<Record<AccessKind, string>> = {
  contact: 'Contact',
  'web-user': 'Web user',
  grant: 'Grant',
  token: 'API token',
  calendar: 'Calendar address',
  webhook: 'Webhook',
}

export const GRANT_TEXTS: Readonly<Record<AccountGrant, string>> = {
  'sales-access': 'Sales access',
  'fnp-license-generator': 'FNP license generator',
}

/** Who manages an access. `unknown`: nobody had to say so when it was given. */
export const ACCESS_SOURCES = ['hand', 'scim', 'staff', 'unknown'] as const
export type AccessSource = (typeof ACCESS_SOURCES)[number]

export const SOURCE_TEXTS: Readonly<Record<AccessSource, string>> = {
  hand: 'By hand',
  scim: 'SCIM',
  staff: 'Staff',
  unknown: 'Unknown',
}

export type Access = {
  readonly kind: AccessKind
  /** The address of the person, or the id of the token, calendar address or webhook. Of a grant, its kind and the address. */
  readonly key: string
  /** The address of a person, the name of a token or calendar address, the URL of a webhook. */
  readonly name: string
  /** The person whose access it is, or who made it. */
  readonly holder: string
  readonly role: string
  readonly source: AccessSource
  readonly lastUsed: Date | null
  readonly since: Date
  /** Null: not recorded. */
  readonly givenBy: string | null
}

/** Unique within an account. */
export const accessId = ({ kind, key }: Pick<Access, 'kind' | 'key'>): string => `${kind}:${key}`

/** What is managed from outside is named so, whoever did it there. Who is of the vendor's staff is known by role or key. */
export function sourceOf(given: {
  readonly isManaged: boolean
  readonly by: string | null
  readonly isByStaff: boolean
}): AccessSource {
  if (given.isManaged) return 'scim'
  if (given.by === null) return 'unknown'
  return given.isByStaff ? 'staff' : 'hand'
}

export const UNUSED_DAYS = 90
const DAY = 86_400_000

/** What was never used counts from the day on which it was given. */
export function isUnused({ lastUsed, since }: Pick<Access, 'lastUsed' | 'since'>, now: Date): boolean {
  return now.getTime() - (lastUsed ?? since).getTime() >= UNUSED_DAYS * DAY
}

const PERSONS: readonly AccessKind[] = ['contact', 'web-user', 'grant']

/** Whether it is the access of a person; otherwise a program has it. */
export const isOfPerson = (kind: AccessKind): boolean => PERSONS.includes(kind)
