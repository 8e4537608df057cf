import type { Kysely } from 'kysely'
import {
  DENIED_DAYS,
  HIT_KINDS,
  type Hit,
  MAX_HITS,
  PROJECT_DAYS,
  SHORTEST_SEARCH,
  type search,
} from '#contract/search/search.ts'
import { type AccountAction, can } from '#domain/access/can.ts'
import { isStaff } from '#domain/access/standing.ts'
import { addDays, dayIn, startOfDay } from '#domain/calendar/calendar-day.ts'
import type { EntitlementKind } from '#domain/entitlements/kind.ts'
import { searchedText } from '#domain/search/searched-text.ts'
import type { DB } from '#server/db/schema.ts'
import {
  findContactsByEmail,
  findGrantsByEmail,
  findStandings,
  findSupportAddresses,
  searchAccounts,
  searchContacts,
} from '#server/modules/accounts/accounts.public.ts'
import { findHosts, searchHosts } from '#server/modules/activations/activations.public.ts'
import {
  findElasticServers,
  searchDenied,
  searchElasticServers,
  searchProjects,
} from '#server/modules/elastic/elastic.public.ts'
import {
  findEntitlements,
  searchEntitlements,
  searchProducts,
} from '#server/modules/entitlements/entitlements.public.ts'
import { findWebUsersByEmail, searchWebUsers } from '#server/modules/web-licenses/web-licenses.public.ts'
import type { Call } from '#server/operations/route.ts'

/** Hits before the check of the caller's rights. */
type Found = Omit<Hit, 'customerName'>

/** Some are dropped because of missing rights, so more than are shown are looked for. */
const LOOKED_FOR = 4 * MAX_HITS

/** Everything that the text finds and the caller may open. */
export async function searchPortal({ actor, standing, body, db, now, timeZone }: Call<typeof search>): Promise<Hit[]> {
  const text = searchedText(body.text)
  if (text.length < SHORTEST_SEARCH) return []
  const accounts = await searchAccounts(db, actor, text, MAX_HITS)
  const found = await findEverything(db, text, {
    customerNumber: standing?.customerNumber,
    isStaff: isStaff(actor),
    now,
    timeZone,
  })
  const numbers = new Set(found.map((one) => one.customerNumber))
  const known = await findStandings(db, actor.email, [...numbers])
  const visible = found.flatMap((one) => {
    const account = known.get(one.customerNumber)
    const isAllowed = account && can(actor, actionFor(one), account.standing).allowed
    return isAllowed ? [{ ...one, customerName: account.name }] : []
  })
  return HIT_KINDS.flatMap((kind) =>
    kind === 'account'
      ? accounts.slice(0, MAX_HITS).map(toAccountHit)
      : unique(visible.filter((hit) => hit.kind === kind)).slice(0, MAX_HITS),
  )
}

type Scope = {
  readonly customerNumber: string | undefined
  readonly isStaff: boolean
  readonly now: Date
  /** Of the named account. */
  readonly timeZone: string | undefined
}

/** The named account comes first. Read one after the other, so that a search takes one connection. */
async function findEverything(db: Kysely<DB>, text: string, scope: Scope): Promise<Found[]> {
  const { customerNumber, now, timeZone = 'UTC' } = scope
  const found: Found[] = []
  if (customerNumber !== undefined) {
    found.push(...(await searchEntitlements(db, customerNumber, text, LOOKED_FOR)).map(toEntitlement(text)))
    found.push(...(await searchProducts(db, customerNumber, text, LOOKED_FOR)).map(toProduct(customerNumber)))
    found.push(...(await searchHosts(db, customerNumber, text, LOOKED_FOR)).map(toHost))
    found.push(...(await searchElasticServers(db, customerNumber, text, LOOKED_FOR)).map(toElasticServer))
    const today = dayIn(timeZone, now)
    const denied = { text, since: startOfDay(timeZone, addDays(today, -DENIED_DAYS)), limit: LOOKED_FOR }
    for (const [kind, column] of DENIED)
      found.push(...(await searchDenied(db, customerNumber, column, denied)).map(toDenied(kind, customerNumber)))
    const used = { text, since: addDays(today, -PROJECT_DAYS), limit: LOOKED_FOR }
    found.push(...(await searchProjects(db, customerNumber, used)).map(toProject(customerNumber)))
    found.push(...(await searchContacts(db, customerNumber, text, LOOKED_FOR)).map(toContact))
    found.push(...(await searchWebUsers(db, customerNumber, text, LOOKED_FOR)).map(toWebUser))
  }
  if (!scope.isStaff) return found
  found.push(...(await findEntitlements(db, text, LOOKED_FOR)).map(toEntitlement(text)))
  found.push(...(await findHosts(db, text, LOOKED_FOR)).map(toHost))
  found.push(...(await findElasticServers(db, text, LOOKED_FOR)).map(toElasticServer))
  found.push(...(await findContactsByEmail(db, text, LOOKED_FOR)).map(toContact))
  found.push(...(await findGrantsByEmail(db, text, LOOKED_FOR)).map(toGrant))
  found.push(...(await findWebUsersByEmail(db, text, LOOKED_FOR)).map(toWebUser))
  found.push(...(await findSupportAddresses(db, text, LOOKED_FOR)).map(toSupportAddress))
  return found
}

const ENTITLEMENT_ACTIONS = { SSL: 'ssl.read', ELASTIC: 'elastic.read', FSA: 'fsa.read' } as const
const ACTIONS = {
  account: 'account.read',
  host: 'activations.read',
  'elastic server': 'credentials.read',
  'denied address': 'elastic.read',
  'denied user': 'elastic.read',
  project: 'elastic.read',
  contact: 'contacts.read',
  grant: 'contacts.switches',
  'web user': 'web-licenses.read',
  'support address': 'account.read',
} as const

/** The right that opening the screen of a hit needs. */
function actionFor({ kind, type }: Found): AccountAction {
  if (kind === 'entitlement' || kind === 'product') return ENTITLEMENT_ACTIONS[type ?? 'SSL']
  return ACTIONS[kind]
}

/**
 * An object may be found both on the named account and over all accounts. A person may have several grants on one
 * account.
 */
function unique(hits: readonly Hit[]): Hit[] {
  return [...new Map(hits.map((hit) => [`${hit.customerNumber} ${hit.type} ${hit.id} ${hit.detail}`, hit])).values()]
}

const typeOf = (kind: EntitlementKind) => (kind === 'ELASTIC' || kind === 'FSA' ? kind : 'SSL')

function toAccountHit({ customer_number, name }: Awaited<ReturnType<typeof searchAccounts>>[number]): Hit {
  return {
    kind: 'account',
    customerNumber: customer_number,
    customerName: name,
    id: customer_number,
    title: name,
    type: null,
    detail: '',
  }
}

function toEntitlement(text: string) {
  return (row: Awaited<ReturnType<typeof findEntitlements>>[number]): Found => {
    const type = typeOf(row.kind)
    const id = type === 'FSA' ? row.entitlement_id : row.activation_id
    const includes = (value: string) => value.toLowerCase().includes(text.toLowerCase())
    const other = [
      ['Order', row.order_id],
      ['Purchase order', row.po_number],
      ['Entitlement', row.entitlement_id],
      ['Activation', row.activation_id],
    ].find(([, value = '']) => includes(value))
    const detail = includes(id) || !other ? '' : other.join(' ')
    return { kind: 'entitlement', customerNumber: row.customer_number, id, title: row.product_name, type, detail }
  }
}

function toProduct(customerNumber: string) {
  return ({ product_name, part_number, kind, count }: Awaited<ReturnType<typeof searchProducts>>[number]): Found => ({
    kind: 'product',
    customerNumber,
    id: product_name,
    title: product_name,
    type: typeOf(kind),
    detail: `${part_number ? `Part number ${part_number}, ` : ''}${count === 1 ? '1 entitlement' : `${count} entitlements`}`,
  })
}

function toHost({ customer_number, host_id, host_name }: Awaited<ReturnType<typeof findHosts>>[number]): Found {
  return {
    kind: 'host',
    customerNumber: customer_number,
    id: host_id,
    title: host_name.replaceAll(',', ', '),
    type: null,
    detail: '',
  }
}

function toElasticServer(row: Awaited<ReturnType<typeof findElasticServers>>[number]): Found {
  return {
    kind: 'elastic server',
    customerNumber: row.customer_number,
    id: row.device_id,
    title: row.alias,
    type: null,
    detail: '',
  }
}

const DENIED = [
  ['denied address', 'external_ip'],
  ['denied user', 'user_name'],
] as const

function toDenied(kind: Found['kind'], customerNumber: string) {
  return ({ denied, count }: Awaited<ReturnType<typeof searchDenied>>[number]): Found => ({
    kind,
    customerNumber,
    id: denied,
    title: denied,
    type: null,
    detail: `Denied ${count === 1 ? 'once' : `${count} times`} in ${DENIED_DAYS} days`,
  })
}

function toProject(customerNumber: string) {
  return ({ project, transactions }: Awaited<ReturnType<typeof searchProjects>>[number]): Found => ({
    kind: 'project',
    customerNumber,
    id: project,
    title: project,
    type: null,
    detail: `${transactions === 1 ? '1 session' : `${transactions} sessions`} in ${PROJECT_DAYS} days`,
  })
}

function toPerson(kind: Found['kind'], customerNumber: string, email: string, detail: string): Found {
  return { kind, customerNumber, id: email, title: email, type: null, detail }
}

const toContact = (row: Awaited<ReturnType<typeof findContactsByEmail>>[number]) =>
  toPerson('contact', row.customer_number, row.email, row.role)

const GRANTS = { 'sales-access': 'Sales access', 'fnp-license-generator': 'FNP license generator' } as const

const toGrant = (row: Awaited<ReturnType<typeof findGrantsByEmail>>[number]) =>
  toPerson('grant', row.customer_number, row.email, GRANTS[row.kind])

function toWebUser(row: Awaited<ReturnType<typeof findWebUsersByEmail>>[number]): Found {
  const use = row.entitlements === 1 ? '1 web entitlement' : `${row.entitlements || 'no'} web entitlements`
  return toPerson('web user', row.customer_number, row.email, [row.name, use].filter(Boolean).join(', '))
}

const toSupportAddress = (row: Awaited<ReturnType<typeof findSupportAddresses>>[number]) =>
  toPerson('support address', row.customer_number, row.support_email, '')
