import type { WireContract } from '#contract/fsa/contracts.ts'
import { type AccountAction, can } from '#domain/access/can.ts'
import type { Actor, Standing } from '#domain/access/standing.ts'
import { hostIdLabel, licenseServerPath } from '#domain/activations/hosts/host.ts'
import { readHostId } from '#domain/activations/hosts/host-id.ts'
import type { CalendarDay } from '#domain/calendar/calendar-day.ts'
import { ADDRESS_NOT_VALID, parseNetwork } from '#domain/elastic/credentials/ip-rules.ts'
import { readUsernames } from '#domain/elastic/credentials/usernames.ts'
import { hasMoney, isOrderable } from '#domain/fsa/contract.ts'
import { formatDecimal } from '#domain/money/decimal.ts'
import { NO_REMINDERS, reminderErrors } from '#domain/reminders/reminders.ts'
import { searchedText } from '#domain/search/searched-text.ts'
import { WORD_BEGINNINGS } from '#domain/search/word-rank.ts'
import { type ContactDraft, isLocked } from '#domain/settings/contacts.ts'
import { emailError } from '#domain/settings/email-address.ts'
import { byRank, hasWords } from '#web/app/palette/palette-entries.ts'
import type { ScreenPath } from '#web/app/screens/screens.ts'
import type { ServerHost } from '#web/modules/activations/activations.api.ts'

type Question =
  | {
      readonly kind: 'host'
      readonly text: string
      /** Only license servers that hold seats. */
      readonly activeOnly: boolean
      /** Offered before the single license servers. */
      readonly other?: string
    }
  | { readonly kind: 'contract' | 'contact'; readonly text: string }
  | {
      readonly kind: 'text'
      readonly text: string
      readonly example: string
      /** Nothing else looks like it, so that the palette offers the verb for it right away. */
      readonly isUnmistakable?: true
      /** The check of the form or dialog that follows. */
      error(text: string): string | undefined
    }

/** Something that the palette can do. */
export type Verb = {
  readonly name: VerbName
  readonly label: string
  /** Other words for it. */
  readonly synonyms: string
  /** With one of these a request begins: "rehost lic-01". None for a verb without an object. */
  readonly acts?: readonly string[]
  /** Offered to whoever has this screen in the menu. */
  readonly screen: ScreenPath
  /** Disabled without this right. */
  readonly action: AccountAction
  /** What is missing. It is asked for in the palette. */
  readonly asks?: Question
  /** The screen on which the person goes on; a dialog of the palette (`verb-dialog.tsx`) if absent. */
  to?(answer: string): string
}

export type VerbName =
  | 'renew'
  | 'rehost'
  | 'activate'
  | 'deactivate'
  | 'order'
  | 'add contact'
  | 'remove contact'
  | 'allow address'
  | 'add username'
  | 'change PIN'
  | 'new reminder'

const NO_DOMAINS: ReadonlySet<string> = new Set()
const HOST = 'license server host machine'
const NEW_SERVER = 'New license server'

export const VERBS: readonly Verb[] = [
  {
    name: 'renew',
    label: 'Renew licenses',
    synonyms: `extend renewal prolong replace expire ${HOST}`,
    acts: ['renew', 'extend', 'prolong'],
    screen: 'activations-history',
    action: 'activations.write',
    asks: { kind: 'host', text: 'Renew on which license server?', activeOnly: true, other: 'All license servers' },
  },
  {
    name: 'rehost',
    label: 'Rehost a license server',
    synonyms: `move transfer migrate replace ${HOST}`,
    acts: ['rehost', 'move', 'transfer', 'migrate'],
    screen: 'activations-history',
    action: 'activations.write',
    asks: { kind: 'host', text: 'Rehost which license server?', activeOnly: true },
  },
  {
    name: 'activate',
    label: 'Activate products',
    synonyms: `assign install seats add new ${HOST}`,
    acts: ['activate', 'assign', 'install'],
    screen: 'activations',
    action: 'activations.write',
    asks: { kind: 'host', text: 'Activate on which license server?', activeOnly: false, other: NEW_SERVER },
    to: (id) => (id === NEW_SERVER ? '/activations?add=server' : `/activations?${new URLSearchParams({ id })}`),
  },
  {
    name: 'deactivate',
    label: 'Deactivate a license server',
    synonyms: `return release retire seats ${HOST}`,
    acts: ['deactivate', 'return', 'release', 'retire'],
    screen: 'activations-history',
    action: 'activations.write',
    asks: { kind: 'host', text: 'Deactivate which license server?', activeOnly: true },
  },
  {
    name: 'order',
    label: 'Order products',
    synonyms: 'buy purchase spend quote license',
    acts: ['order', 'buy', 'purchase'],
    screen: 'entitlementsFSA',
    action: 'fsa.order',
    asks: { kind: 'contract', text: 'Order from which spending account?' },
    to: (contract) => `/entitlementsFSA?${new URLSearchParams({ tab: 'order', ...(contract && { contract }) })}`,
  },
  {
    name: 'add contact',
    label: 'Add a contact',
    synonyms: 'new invite person people user colleague grant give view access',
    acts: ['add', 'invite', 'new', 'grant', 'give'],
    screen: 'portalaccess',
    action: 'contacts.write',
    asks: {
      kind: 'text',
      text: 'Email address of the new contact?',
      example: 'name@company.com',
      isUnmistakable: true,
      error: (email) => emailError(email, NO_DOMAINS),
    },
    to: (add) => `/portalaccess?${new URLSearchParams({ add })}`,
  },
  {
    name: 'remove contact',
    label: 'Remove a contact',
    synonyms: 'delete revoke withdraw take away person people user colleague access',
    acts: ['remove', 'delete', 'revoke'],
    screen: 'portalaccess',
    action: 'contacts.write',
    asks: { kind: 'contact', text: 'Remove which contact?' },
  },
  {
    name: 'allow address',
    label: 'Allow an IP address',
    synonyms: 'whitelist unblock allowlist permit add ip rule network cidr elastic',
    acts: ['allow', 'add', 'whitelist', 'unblock', 'permit'],
    screen: 'whitelistips',
    action: 'ip-rules.write',
    asks: {
      kind: 'text',
      text: 'Which IP address or network?',
      example: '192.0.2.0/24',
      isUnmistakable: true,
      error: (address) => (parseNetwork(address) === undefined ? ADDRESS_NOT_VALID : undefined),
    },
  },
  {
    name: 'add username',
    label: 'Allow a username',
    synonyms: 'whitelist unblock add user person elastic',
    acts: ['allow', 'add', 'whitelist', 'unblock', 'permit'],
    screen: 'clscredentials',
    action: 'credentials.write',
    asks: {
      kind: 'text',
      text: 'Which username?',
      example: 'jdoe',
      error: (name) => {
        const read = readUsernames([name])
        return 'error' in read ? read.error : undefined
      },
    },
  },
  {
    name: 'change PIN',
    label: 'Change the PIN',
    synonyms: 'password secret code reset new elastic',
    screen: 'clscredentials',
    action: 'credentials.write',
    to: () => '/clscredentials?focus=pin',
  },
  {
    name: 'new reminder',
    label: 'New reminder',
    synonyms: 'add notify notification alert warn expire email days before',
    acts: ['remind', 'reminder', 'new'],
    screen: 'reminders',
    action: 'reminders.write',
    asks: {
      kind: 'text',
      text: 'How many days before licenses end?',
      example: '30',
      error: (days) => reminderErrors({ ...NO_REMINDERS, leadDays: [Number(days)] }).leadDays,
    },
    to: (add) => `/reminders?${new URLSearchParams({ add })}`,
  },
]

/** A license server; otherwise the typed text, a contract or the email address of a contact. */
export type Answer = ServerHost | string

/** A line of the palette that does something. */
export type VerbEntry = {
  readonly key: string
  readonly label: string
  readonly detail: string
  readonly screen: ScreenPath
  readonly verb: Verb
  readonly answer?: Answer
  /** The screen with everything filled in, instead of an answer. */
  readonly address?: string
  /** What the question begins with. */
  readonly typed?: string
  /** Why this person cannot do it. */
  readonly reason?: string
}

export type Viewer = { readonly actor: Actor; readonly standing: Standing; readonly screens: ReadonlySet<ScreenPath> }

/**
 * The verbs with words that begin with the typed ones, and those that take the typed text as their answer. Without a text,
 * only those that this person may use.
 */
export function verbEntries(typed: string, viewer: Viewer): VerbEntry[] {
  const { actor, standing } = viewer
  const offered = offeredVerbs(viewer)
  const named = verbsNamed(typed, viewer).flatMap((verb) => {
    const entry = verbEntry(verb, viewer)
    return entry.reason !== undefined && typed === '' ? [] : [entry]
  })
  const answered = offered
    .filter(({ asks, action }) => asks?.kind === 'text' && asks.isUnmistakable && can(actor, action, standing).allowed)
    .flatMap((verb) => textAnswer(verb, typed).entries)
  return [...answered, ...named]
}

export const offeredVerbs = ({ screens }: Pick<Viewer, 'screens'>): Verb[] =>
  VERBS.filter(({ screen }) => screens.has(screen))

/** Verbs that have words for everything that was typed. */
export function verbsNamed(typed: string, viewer: Pick<Viewer, 'screens'>): Verb[] {
  return byRank(offeredVerbs(viewer), typed, {
    nameOf: ({ label }) => label,
    restOf: ({ synonyms }) => synonyms,
    worst: WORD_BEGINNINGS,
  })
}

/** The line of a verb without an object; disabled for whoever may not do it. */
export function verbEntry(verb: Verb, { actor, standing }: Viewer): VerbEntry {
  const decision = can(actor, verb.action, standing)
  const entry = { key: `verb ${verb.name}`, label: verb.label, screen: verb.screen, verb }
  return decision.allowed ? { ...entry, detail: '' } : { ...entry, detail: decision.reason, reason: decision.reason }
}

/** Enough to choose from; who has more types a part of the name. */
export const MAX_ANSWERS = 50

/** The license servers that a verb can be about, found by a part of their name or by their id in any notation. */
export function hostAnswers(verb: Verb, hosts: readonly ServerHost[], typed: string, pathname: string): VerbEntry[] {
  if (verb.asks?.kind !== 'host') return []
  const { activeOnly, other } = verb.asks
  const { id } = readHostId(searchedText(typed))
  const isCurrent = ({ serverId }: ServerHost) => Number(licenseServerPath(serverId) === pathname)
  const entry = { screen: verb.screen, verb }
  const found = hosts
    .filter(({ state }) => !activeOnly || state === 'Active')
    .filter(({ serverName, serverId }) => hasWords(`${serverName} ${serverId}`, typed) || serverId.includes(id))
    .toSorted((one, other) => isCurrent(other) - isCurrent(one))
    .slice(0, MAX_ANSWERS)
    .map((host) => ({
      ...entry,
      key: `answer ${host.serverId}`,
      label: host.serverName.replaceAll(',', ', '),
      detail: hostIdLabel(host).replaceAll(',', ', '),
      answer: host,
    }))
  const isOtherMeant = other !== undefined && hasWords(other, typed)
  const others = isOtherMeant ? [{ ...entry, key: 'answer other', label: other, detail: '', answer: other }] : []
  return [...others, ...found]
}

const NOTHING_LEFT = 'Nothing is left to order from.'

/** The spending accounts that have not ended, found by a part of their id, end or balance. Empty ones cannot be chosen. */
export function contractAnswers(
  verb: Verb,
  contracts: readonly WireContract[],
  typed: string,
  today: CalendarDay,
): VerbEntry[] {
  return contracts
    .filter(({ EndDate }) => isOrderable({ endDate: EndDate }, today))
    .map(({ fsaID, EndDate, available, 'CA[ENT|ansyscurrency]': currency }) => ({
      key: `answer ${fsaID}`,
      label: fsaID,
      detail: `${formatDecimal(available, 2)} ${currency} left, ends ${EndDate}`,
      screen: verb.screen,
      verb,
      answer: fsaID,
      ...(!hasMoney({ available }) && { reason: NOTHING_LEFT }),
    }))
    .filter(({ label, detail }) => hasWords(`${label} ${detail}`, typed))
    .map((entry) => (entry.reason ? { ...entry, detail: `${entry.detail}. ${entry.reason}` } : entry))
}

const LOCKED_CONTACT = 'Only the account manager can change Support Coordinators.'

/** The contacts who can be removed, found by a part of their email address or role. */
export function contactAnswers(
  verb: Verb,
  contacts: readonly ContactDraft[],
  typed: string,
  mayGrant: boolean,
): VerbEntry[] {
  return contacts
    .filter(({ email, role }) => hasWords(`${email} ${role}`, searchedText(typed)))
    .slice(0, MAX_ANSWERS)
    .map(({ email, role }) => {
      const isFixed = isLocked({ email, role }, mayGrant)
      const entry = { key: `answer ${email}`, label: email, screen: verb.screen, verb, answer: email }
      return isFixed ? { ...entry, detail: LOCKED_CONTACT, reason: LOCKED_CONTACT } : { ...entry, detail: role }
    })
}

/** The typed answer, once it is right, and what is wrong with it before. */
export function textAnswer(verb: Verb, typed: string): { entries: VerbEntry[]; error: string | undefined } {
  const answer = searchedText(typed)
  if (verb.asks?.kind !== 'text' || answer === '') return { entries: [], error: undefined }
  const error = verb.asks.error(answer)
  const { name, label, screen } = verb
  const entry = { key: `answer ${name}`, label: `${label}: ${answer}`, detail: '', screen, verb, answer }
  return { entries: error === undefined ? [entry] : [], error }
}
