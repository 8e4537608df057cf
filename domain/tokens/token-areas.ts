/** The parts of the portal that a token can be given, each to read or to write. */
export const TOKEN_AREAS = [
  'entitlements',
  'activations',
  'usage',
  'statements',
  'spending-account',
  'access',
  'limits',
  'audit',
  'license-use',
  'webhooks',
] as const
export type TokenArea = (typeof TOKEN_AREAS)[number]
/**
 * The scope of an identity provider that reports people and groups. It stands alone: such a token acts for the account, not for
 * the person who made it.
 */
export const PROVISIONING_SCOPE = 'scim'
export type TokenScope = `${TokenArea}:${'read' | 'write'}` | typeof PROVISIONING_SCOPE

export const TOKEN_SCOPES: readonly TokenScope[] = [
  ...TOKEN_AREAS.flatMap((area): TokenScope[] => [`${area}:read`, `${area}:write`]),
  PROVISIONING_SCOPE,
]

export const isProvisioning = (scopes: readonly string[]): boolean =>
  scopes.length === 1 && scopes[0] === PROVISIONING_SCOPE

export function isTokenScope(text: string): text is TokenScope {
  return (TOKEN_SCOPES as readonly string[]).includes(text)
}

/** The areas as people read them. */
export const AREA_LABELS: Readonly<Record<TokenArea, string>> = {
  entitlements: 'Entitlements',
  activations: 'Activations',
  usage: 'Usage',
  statements: 'Statements',
  'spending-account': 'Spending account',
  access: 'Access',
  limits: 'Limits',
  audit: 'Audit log',
  'license-use': 'License use',
  webhooks: 'Webhooks',
}

/** What is in each area, for people who choose scopes. */
export const AREA_TEXTS: Readonly<Record<TokenArea, string>> = {
  entitlements: 'Leases, perpetual licenses, elastic balances, end dates and reminders',
  activations: 'License servers, seats, license files and web license assignments',
  usage: 'Usage transactions, exports, denials and web checkouts',
  statements: 'Statements and chargeback',
  'spending-account': 'Spending accounts, orders and quotes',
  access: 'Contacts, PINs, usernames and IP rules',
  limits: 'Limits of elastic use, and who can start which products',
  audit: 'Who did what',
  'license-use': 'Use of your license servers',
  webhooks: 'Endpoints and deliveries, with events of every area',
}

/** The areas that background tasks can have. */
export const TASK_AREAS = ['usage', 'audit', 'license-use'] as const satisfies readonly TokenArea[]
export type TaskArea = (typeof TASK_AREAS)[number]

/** A token needs one of these scopes for an operation; no token can call it if there are none. */
export function neededScopes({
  token,
  writes,
}: {
  readonly token: TokenArea | readonly TokenArea[] | typeof PROVISIONING_SCOPE | null
  readonly writes: boolean
}): readonly TokenScope[] {
  if (token === PROVISIONING_SCOPE) return [PROVISIONING_SCOPE]
  return (token === null ? [] : [token].flat()).map((area) => scopeIn(area as TokenArea, writes))
}

export const scopeIn = (area: TokenArea, writes: boolean): TokenScope => `${area}:${writes ? 'write' : 'read'}`

export const missingScope = (...scopes: readonly TokenScope[]) =>
  `This token does not have the scope ${scopes.join(' or ')}`

/** A token that may write in an area may read there as well. */
export function hasScope(scopes: readonly string[], needed: TokenScope): boolean {
  return scopes.includes(needed) || scopes.includes(needed.replace(/:read$/, ':write'))
}

/** The scopes of a token as people read them: 'Usage (read), Access (write)'. */
export function formatScopes(scopes: readonly string[]): string {
  if (scopes.includes(PROVISIONING_SCOPE)) return 'Provisioning (SCIM)'
  return TOKEN_AREAS.flatMap((area) => {
    if (scopes.includes(`${area}:write`)) return `${AREA_LABELS[area]} (write)`
    return scopes.includes(`${area}:read`) ? `${AREA_LABELS[area]} (read)` : []
  }).join(', ')
}
