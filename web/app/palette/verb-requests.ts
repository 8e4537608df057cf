import { readContract, type WireContract } from '#contract/fsa/contracts.ts'
import type { Hit } from '#contract/search/search.ts'
import { can } from '#domain/access/can.ts'
import type { CalendarDay } from '#domain/calendar/calendar-day.ts'
import { hasMoney, isOrderable } from '#domain/fsa/contract.ts'
import type { ContactDraft } from '#domain/settings/contacts.ts'
import { hasWords } from '#web/app/palette/palette-entries.ts'
import {
  contactAnswers,
  contractAnswers,
  hostAnswers,
  offeredVerbs,
  textAnswer,
  type Verb,
  type VerbEntry,
  type Viewer,
  verbEntry,
  verbsNamed,
} from '#web/app/palette/verbs.ts'
import { countOf } from '#web/lib/format.ts'
import type { ServerHost } from '#web/modules/activations/activations.api.ts'

/** A verb with its object, in one line: "rehost lic-01", "activate 5 Acoustics Response". */
export type VerbRequest = {
  readonly verb: Verb
  /** As it was typed. */
  readonly object: string
  /** "5 seats of Acoustics Response" is about a product and a number. */
  readonly product: string
  readonly seats: number | undefined
  /** "… on lic-01" names the license server. */
  readonly host: string
}

/** What of the account a request can be about; undefined until it is loaded. */
export type Objects = {
  readonly hosts: readonly ServerHost[] | undefined
  readonly contracts: readonly WireContract[] | undefined
  readonly contacts: readonly ContactDraft[] | undefined
  readonly hits: readonly Hit[] | undefined
}

/** The day of the account, and the screen that is open. */
type Where = { readonly today: CalendarDay; readonly pathname: string }

const FILLERS = new Set(['a', 'an', 'the', 'on', 'for', 'of', 'to', 'from', 'in'])

/** The requests that a text can be. A text that names verbs by itself is none. */
export function requestsIn(typed: string, viewer: Pick<Viewer, 'screens'>): VerbRequest[] {
  const [act = '', ...rest] = typed.trim().split(/\s+/)
  if (rest.length === 0 || verbsNamed(typed, viewer).length > 0) return []
  return offeredVerbs(viewer).flatMap((verb) => {
    if (!verb.acts?.includes(act.toLowerCase())) return []
    const known = new Set(`${verb.label} ${verb.synonyms}`.toLowerCase().split(/\s+/))
    const isObject = (word: string) => !FILLERS.has(word.toLowerCase()) && !known.has(word.toLowerCase())
    const start = rest.findIndex(isObject)
    // Names can end with any word; an address or a number is followed by words of the verb alone: "30 days".
    const end = verb.asks?.kind === 'text' ? rest.findLastIndex(isObject) + 1 : rest.length
    return start < 0 ? [] : [{ verb, ...partsOf(rest.slice(start, end).join(' ')) }]
  })
}

const COUNT_FIRST = /^(?<count>\d{1,6})\s+(?:(?:seats?|licen[sc]es?)\s+)?(?:of\s+)?(?<named>\S.*)$/i
/** Names can end with a number, so that the word must follow. */
const COUNT_LAST = /^(?<named>\S.*?)[,:;]?\s+(?<count>\d{1,6})\s+(?:seats?|licen[sc]es?)$/i

function partsOf(object: string): Omit<VerbRequest, 'verb'> {
  const [, what = object, host = ''] = /^(.+?)\s+(?:on|from)\s+(\S+)$/i.exec(object) ?? []
  const { count, named = what } = (COUNT_FIRST.exec(what) ?? COUNT_LAST.exec(what))?.groups ?? {}
  const seats = Number(count)
  return { object, product: named, seats: seats > 0 ? seats : undefined, host }
}

/** The text with which the server is searched for the object. */
export const searchedObject = (requests: readonly VerbRequest[]): string | undefined => requests[0]?.product

/** Few, because each of them is a whole action. */
const MAX_OFFERED = 5

/**
 * What can be done at once. Where no request has an object that the account knows, the verbs are offered and ask for it.
 */
export function requestEntries(
  requests: readonly VerbRequest[],
  objects: Objects,
  viewer: Viewer,
  where: Where,
): VerbEntry[] {
  const found = requests.map((request) => {
    const entry = verbEntry(request.verb, viewer)
    if (entry.reason !== undefined) return { request, entry, answers: [] }
    const answers = answersTo(request, objects, viewer, where)
    return { request, entry, answers: answers?.slice(0, MAX_OFFERED) }
  })
  const answered = found.flatMap(({ answers }) => answers ?? [])
  // An IP address could be a username as well, but nobody means that.
  const unmistakable = answered.filter(({ verb: { asks } }) => asks?.kind === 'text' && asks.isUnmistakable)
  if (answered.length > 0) return unmistakable.length > 0 ? unmistakable : answered
  // What is still loading may be known in a moment.
  return found.flatMap(({ request, entry, answers }) => {
    if (!answers) return []
    return entry.reason === undefined ? [{ ...entry, ...missingOf(request) }] : [entry]
  })
}

/** Undefined while the objects are not loaded. */
function answersTo(
  { verb, object, product, seats, host }: VerbRequest,
  { hosts, contracts, contacts, hits }: Objects,
  { actor, standing }: Viewer,
  { today, pathname }: Where,
): VerbEntry[] | undefined {
  const named = (entry: VerbEntry): VerbEntry => ({
    ...entry,
    key: `${verb.name} ${entry.key}`,
    label: `${verb.label}: ${entry.label}`,
  })
  switch (verb.asks?.kind) {
    case 'text':
      return textAnswer(verb, object).entries
    case 'host': {
      if (!hosts || (verb.name === 'activate' && !hits)) return undefined
      const products = verb.name === 'activate' ? productEntries(verb, { product, seats, host }, hosts, hits ?? []) : []
      return [...hostAnswers(verb, hosts, object, pathname).map(named), ...products]
    }
    case 'contract':
      if (!contracts) return undefined
      return [
        ...contractAnswers(verb, contracts, object, today).map(named),
        ...orderEntries(verb, { product, seats, host }, contracts, today),
      ]
    case 'contact':
      return (
        contacts &&
        contactAnswers(verb, contacts, object, can(actor, 'contacts.grant-coordinator', standing).allowed).map(named)
      )
    default:
      return []
  }
}

type Wanted = Pick<VerbRequest, 'product' | 'seats' | 'host'>

/** Activates a product of the account, on the license server that is named or else on the one that was used last. */
function productEntries(
  verb: Verb,
  { product, seats, host }: Wanted,
  hosts: readonly ServerHost[],
  hits: readonly Hit[],
) {
  const [server] = host === '' ? [] : hosts.filter(({ serverName }) => hasWords(serverName, host))
  return hits
    .filter(({ kind, type, id }) => kind === 'product' && type === 'SSL' && hasWords(id, product))
    .map(({ id }): VerbEntry => {
      const values = new URLSearchParams({
        ...(server && { id: server.serverId }),
        product: id,
        ...(seats && { seats: String(seats) }),
      })
      return {
        key: `activate product ${id}`,
        label: `${verb.label}: ${seats ? `${countOf(seats, 'seat')} of ${id}` : id}`,
        detail: server ? `On ${server.serverName.replaceAll(',', ', ')}` : '',
        screen: verb.screen,
        verb,
        address: `/activations?${values}`,
      }
    })
}

/** Orders a product from the spending accounts that offer it. */
function orderEntries(
  verb: Verb,
  { product, seats = 1, host }: Wanted,
  contracts: readonly WireContract[],
  today: CalendarDay,
): VerbEntry[] {
  return contracts
    .filter((one) => isOrderable({ endDate: one.EndDate }, today) && hasMoney(one) && hasWords(one.fsaID, host))
    .flatMap((one) =>
      readContract(one)
        .products.filter(({ name }) => hasWords(name, product))
        .map(({ name, partNumber }): VerbEntry => {
          const line = { contract: one.fsaID, product: partNumber, count: String(seats) }
          return {
            key: `order ${one.fsaID} ${partNumber}`,
            label: `${verb.label}: ${countOf(seats, 'seat')} of ${name}`,
            detail: `From ${one.fsaID}`,
            screen: verb.screen,
            verb,
            address: `/entitlementsFSA?${new URLSearchParams({ tab: 'order', ...line })}`,
          }
        }),
    )
}

/** What the question begins with, and why it is asked. A list is shown as a whole, a text can be corrected. */
function missingOf({ verb, object }: VerbRequest): Pick<VerbEntry, 'detail' | 'typed'> {
  if (verb.asks?.kind === 'text') return { detail: textAnswer(verb, object).error ?? '', typed: object }
  return { detail: `Nothing matches "${object}". Choose from a list.` }
}
