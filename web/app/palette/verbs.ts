import { type AccountAction, can } from '#domain/access/can.ts'
import type { Actor, Standing } from '#domain/access/standing.ts'
import { hostIdLabel, licenseServerPath } from '#domain/activations/hosts/host.ts'
import { readHostId } from '#domain/activations/hosts/host-id.ts'
import { ADDRESS_NOT_VALID, parseNetwork } from '#domain/elastic/credentials/ip-rules.ts'
import { readUsernames } from '#domain/elastic/credentials/usernames.ts'
import { NO_REMINDERS, reminderErrors } from '#domain/reminders/reminders.ts'
import { searchedText } from '#domain/search/searched-text.ts'
import { emailError } from '#domain/settings/email-address.ts'
import { hasWords } from '#web/app/palette/palette-entries.ts'
import type { ScreenPath } from '#web/app/screens/screens.ts'
import type { ServerHost } from '#web/modules/activations/activations.api.ts'

type Question =
  | {
      readonly kind: 'host'
      readonly text: string
      /** Only license servers that hold seats. */
      readonly activeOnly: boolean
      /** Offered before the single license servers. */
      readonly all?: string
    }
  | {
      readonly kind: 'text'
      readonly text: string
      readonly example: string
      /** The check of the form or dialog that follows. */
      error(text: string): string | undefined
    }

/** Something that the palette can do. */
export type Verb = {
  readonly name: VerbName
  readonly label: string
  /** Other words for it. */
  readonly synonyms: string
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
  | 'allow address'
  | 'add username'
  | 'change PIN'
  | 'new reminder'

const NO_DOMAINS: ReadonlySet<string> = new Set()
const HOST = 'license server host machine'

export const VERBS: readonly Verb[] = [
  {
    name: 'renew',
    label: 'Renew licenses',
    synonyms: `extend renewal prolong replace expire ${HOST}`,
    screen: 'activations-history',
    action: 'activations.write',
    asks: { kind: 'host', text: 'Renew on which license server?', activeOnly: true, all: 'All license servers' },
  },
  {
    name: 'rehost',
    label: 'Rehost a license server',
    synonyms: `move transfer migrate replace ${HOST}`,
    screen: 'activations-history',
    action: 'activations.write',
    asks: { kind: 'host', text: 'Rehost which license server?', activeOnly: true },
  },
  {
    name: 'activate',
    label: 'Activate products',
    synonyms: `assign install seats ${HOST}`,
    screen: 'activations',
    action: 'activations.write',
    asks: { kind: 'host', text: 'Activate on which license server?', activeOnly: false },
    to: (id) => `/activations?${new URLSearchParams({ id })}`,
  },
  {
    name: 'deactivate',
    label: 'Deactivate a license server',
    synonyms: `return release retire seats ${HOST}`,
    screen: 'activations-history',
    action: 'activations.write',
    asks: { kind: 'host', text: 'Deactivate which license server?', activeOnly: true },
  },
  {
    name: 'order',
    label: 'Order products',
    synonyms: 'buy purchase spend quote license',
    screen: 'entitlementsFSA',
    action: 'fsa.order',
    to: () => '/entitlementsFSA?tab=order',
  },
  {
    name: 'add contact',
    label: 'Add a contact',
    synonyms: 'new invite person people user colleague grant access',
    screen: 'portalaccess',
    action: 'contacts.write',
    asks: {
      kind: 'text',
      text: 'Email address of the new contact?',
      example: 'name@company.com',
      error: (email) => emailError(email, NO_DOMAINS),
    },
    to: (add) => `/portalaccess?${new URLSearchParams({ add })}`,
  },
  {
    name: 'allow address',
    label: 'Allow an IP address',
    synonyms: 'whitelist unblock allowlist permit add ip rule network cidr elastic',
    screen: 'whitelistips',
    action: 'ip-rules.write',
    asks: {
      kind: 'text',
      text: 'Which IP address or network?',
      example: '192.0.2.0/24',
      error: (address) => (parseNetwork(address) === undefined ? ADDRESS_NOT_VALID : undefined),
    },
  },
  {
    name: 'add username',
    label: 'Allow a username',
    synonyms: 'whitelist unblock add user person elastic',
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
    synonyms: 'add notify notification alert warn expire email',
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

/** A license server, or the typed text. */
export type Answer = ServerHost | string

/** A line of the palette that does something. */
export type VerbEntry = {
  readonly key: string
  readonly label: string
  readonly detail: string
  readonly screen: ScreenPath
  readonly verb: Verb
  readonly answer?: Answer
  /** Why this person cannot do it. */
  readonly reason?: string
}

type Viewer = { readonly actor: Actor; readonly standing: Standing; readonly screens: ReadonlySet<ScreenPath> }

/** The verbs that have every typed word. Without a text, only those that this person may use. */
export function verbEntries(typed: string, { actor, standing, screens }: Viewer): VerbEntry[] {
  return VERBS.filter(({ screen, label, synonyms }) => screens.has(screen) && hasWords(`${label} ${synonyms}`, typed))
    .toSorted((one, other) => Number(hasWords(other.label, typed)) - Number(hasWords(one.label, typed)))
    .flatMap((verb) => {
      const decision = can(actor, verb.action, standing)
      if (!decision.allowed && typed === '') return []
      const entry = { key: `verb ${verb.name}`, label: verb.label, screen: verb.screen, verb }
      return decision.allowed
        ? [{ ...entry, detail: '' }]
        : [{ ...entry, detail: decision.reason, reason: decision.reason }]
    })
}

/** Enough to choose from; who has more license servers types a part of the name. */
export const MOST_HOSTS = 50

/** The license servers that a verb can be about, found by a part of their name or by their id in any notation. */
export function hostAnswers(verb: Verb, hosts: readonly ServerHost[], typed: string, pathname: string): VerbEntry[] {
  if (verb.asks?.kind !== 'host') return []
  const { activeOnly, all } = verb.asks
  const { id } = readHostId(searchedText(typed))
  const isCurrent = ({ serverId }: ServerHost) => Number(licenseServerPath(serverId) === pathname)
  const entry = { screen: verb.screen, verb }
  const found = hosts
    .filter(({ state }) => !activeOnly || state === 'Active')
    .filter(({ serverName, serverId }) => hasWords(`${serverName} ${serverId}`, typed) || serverId.includes(id))
    .toSorted((one, other) => isCurrent(other) - isCurrent(one))
    .slice(0, MOST_HOSTS)
    .map((host) => ({
      ...entry,
      key: `answer ${host.serverId}`,
      label: host.serverName.replaceAll(',', ', '),
      detail: hostIdLabel(host).replaceAll(',', ', '),
      answer: host,
    }))
  const isAllMeant = all !== undefined && hasWords(all, typed)
  return [...(isAllMeant ? [{ ...entry, key: 'answer all', label: all, detail: '', answer: all }] : []), ...found]
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
