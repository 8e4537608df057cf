/** The parts of the portal that a token can be given, each to read or to write. */
export const TOKEN_AREAS = [
  'entitlements',
  'activations',
  'usage',
  'statements',
  'spending-account',
  'access',
  'audit',
  'license-use',
  'webhooks',
] as const
export type TokenArea = (typeof TOKEN_AREAS)[number]
export type TokenScope = `${TokenArea}:${'read' | 'write'}`

export const TOKEN_SCOPES: readonly TokenScope[] = TOKEN_AREAS.flatMap((area): TokenScope[] => [
  `${area}:read`,
  `${area}:write`,
])

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
  audit: 'Who did what',
  'license-use': 'Use of your license servers',
  webhooks: 'Endpoints and deliveries, with events of every area',
}

/** The areas that background tasks can have. */
const TASK_AREAS = ['usage', 'audit', 'license-use'] as const satisfies readonly TokenArea[]
export type TaskArea = (typeof TASK_AREAS)[number]

/** `null`: people only. Tokens never manage tokens, and have no screens, views or accounts to choose from. */
type AreasOrNone = TokenArea | readonly TokenArea[] | null

/**
 * The area of every operation, by the beginning of its name: the longest entry counts. An operation with several areas needs
 * the one of what the call is about, which its use case checks. An operation without an entry is closed to tokens, and a
 * test asks for its entry.
 */
const AREA_OF_OPERATIONS: Readonly<Record<string, AreasOrNone>> = {
  // entitlements
  getaccountinfo: 'entitlements',
  fetchEntitlements: 'entitlements',
  fetchEntitlementsActive: 'entitlements',
  fetchEntitlementsInactive: 'entitlements',
  getEntitlements: 'entitlements',
  optimization: 'entitlements',
  planner: 'entitlements',
  getreminders: 'entitlements',
  setreminders: 'entitlements',
  calendarfeeds: 'entitlements',
  createcalendarfeed: 'entitlements',
  revokecalendarfeed: 'entitlements',
  // activations
  fulfillments: 'activations',
  uploadserverid: 'activations',
  sharedserver: 'activations',
  web: 'activations',
  // usage
  fetchUsage: 'usage',
  lastupdatedon: 'usage',
  'devices/elastic': 'usage',
  activatedelasticservers: 'usage',
  'elastic/denials': 'usage',
  'web/checkouts': 'usage',
  'web/denials': 'usage',
  'web/report': 'usage',
  // statements
  statements: 'statements',
  getPdf: 'statements',
  emailweek: 'statements',
  emailmonth: 'statements',
  // spending-account
  fsa: 'spending-account',
  'planner/plans/draft': 'spending-account',
  entitlements: 'spending-account',
  // access
  getportalaccess: 'access',
  setportalaccess: 'access',
  getpin: 'access',
  changepin: 'access',
  getUsers: 'access',
  saveUsers: 'access',
  getips: 'access',
  setips: 'access',
  'elastic/pinlocks': 'access',
  'elastic/unlockpin': 'access',
  // audit
  audit: 'audit',
  // license-use
  'license-use': 'license-use',
  'license-servers': 'license-use',
  webhooks: 'webhooks',
  tasks: TASK_AREAS,
  // people only
  // An approval activates, assigns or orders: a token of one area would act in others.
  requests: null,
  // Texts and attachments of emails are of every area: license files, statements, quotes.
  getemails: null,
  getemail: null,
  emails: null,
  tokens: null,
  viewas: null,
  accounts: null,
  getUserDetails: null,
  getaccounts: null,
  getCustomerAccounts: null,
  getRecentAccounts: null,
  noteOpenedAccount: null,
  home: null,
  setup: null,
  search: null,
  licenses: null,
  notifications: null,
  alerts: null,
  getBuildInfo: null,
  getFeatures: null,
  setFeatures: null,
  getPreferences: null,
  savePreferences: null,
  tableviews: null,
  getaccountswitches: null,
  setaccountswitches: null,
  outbox: null,
  upkeep: null,
}

/** The areas that open an operation to tokens; none if it is for people only, undefined if the table does not have it. */
export function areasOf(operation: string): readonly TokenArea[] | undefined {
  for (let name = operation; name !== ''; name = name.slice(0, Math.max(0, name.lastIndexOf('/')))) {
    const areas = AREA_OF_OPERATIONS[name]
    if (areas !== undefined) return areas === null ? [] : [areas].flat()
  }
  return undefined
}

/** A token needs one of these scopes for an operation; no token can call it if there are none. */
export function neededScopes({
  name,
  writes,
}: {
  readonly name: string
  readonly writes: boolean
}): readonly TokenScope[] {
  return (areasOf(name) ?? []).map((area) => scopeIn(area, writes))
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
  return TOKEN_AREAS.flatMap((area) => {
    if (scopes.includes(`${area}:write`)) return `${AREA_LABELS[area]} (write)`
    return scopes.includes(`${area}:read`) ? `${AREA_LABELS[area]} (read)` : []
  }).join(', ')
}
