import type { Outcome } from '#domain/audit/audit-line.ts'

/** What the log keeps about an act. */
export type AuditedAct = {
  readonly action: string
  readonly target: string | null
  readonly before: unknown
  readonly after: unknown
  readonly outcome: Outcome
  readonly reason: string | null
}
type Facts = Pick<AuditedAct, 'target' | 'before' | 'after'>

/** `what` completes "Refused to …"; `done` is what happened, in words. */
type Words = { readonly what: string; done(facts: Facts): string }

const LONGEST = 500

/**
 * An act in words: "Activated 3 seats of Acoustics Response on lic-berlin-01". `summary` describes an operation that has no
 * words of its own, such as a page of a list that was refused.
 */
export function auditText(act: AuditedAct, summary?: string): string {
  const words = AUDIT_TEXTS[act.action] ?? wordsOfRecords(act.action)
  const text = act.outcome === 'refused' ? refusedText(act, words, summary) : doneText(act, words, summary)
  return text.length > LONGEST ? `${text.slice(0, LONGEST - 1).toWellFormed()}…` : text
}

export const hasAuditText = (action: string): boolean =>
  Object.hasOwn(AUDIT_TEXTS, action) || wordsOfRecords(action) !== undefined

function doneText(act: AuditedAct, words: Words | undefined, summary: string | undefined): string {
  if (words) return words.done(act)
  return `${summary ?? act.action}${act.target ? ` (${act.target})` : ''}`
}

function refusedText({ action, target, reason }: AuditedAct, words: Words | undefined, summary: string | undefined) {
  const what = words ? `Refused to ${words.what}` : `Refused: ${summary ?? action}`
  return `${what}${target ? ` (${target})` : ''}. ${reason ?? ''}`.trim()
}

/** A plain act on what `target` names: "Changed the PIN of els-1". */
function act(did: string, what: string, preposition = 'of'): Words {
  return { what, done: ({ target }) => (target ? [did, preposition, target].filter(Boolean).join(' ') : did) }
}
const download = (noun: string): Words => ({
  what: `download ${noun}`,
  done: ({ target }) => (target ? `Downloaded ${noun}: ${target}` : `Downloaded ${noun}`),
})
const email = (noun: string): Words => ({
  what: `email ${noun}`,
  done: ({ target, after }) => {
    const to = texts(field(after, 'recipients'))
    return `Emailed ${noun}${target ? ` (${target})` : ''}${to.length > 0 ? ` to ${some(to)}` : ''}`
  },
})

const installationKey = (did: string, what: string): Words => ({
  what,
  done: ({ after }) => `${did} with the key ${text(field(after, 'key'))}`,
})

const RECORDS: Readonly<Record<string, string>> = {
  products: 'the product',
  'rate-tables': 'the rate',
  'price-lists': 'the price',
  accounts: 'the account',
  contacts: 'the contact',
  roles: 'the role',
  'elastic-servers': 'the elastic license server',
  'fsa-contracts': 'the spending account',
  entitlements: 'the entitlement',
  hosts: 'the license server',
  fulfillments: 'the activation',
}

/** Records that the vendor's systems write, one entry for each. */
function wordsOfRecords(action: string): Words | undefined {
  const [, kind = '', isRevoked] = /^service\/([a-z-]+)(\/revoke)?$/.exec(action) ?? []
  const noun = RECORDS[kind]
  if (!noun) return undefined
  return {
    what: `${isRevoked ? 'revoke' : 'save'} ${noun}`,
    done({ target, before, after }) {
      const id = target ?? ''
      if (isRevoked) return `Revoked ${noun} ${id}`
      if (before === null || before === undefined) return `Added ${noun} ${id}`
      return `Changed ${noun} ${id}: ${some(Object.keys(isObject(after) ? after : {}))}`
    },
  }
}

const seats: Words['done'] = ({ target, after }) => {
  const lines = elements(field(after, 'activations'))
  const total = lines.reduce<number>((sum, line) => sum + (Number(field(line, 'count')) || 0), 0)
  const products = [...new Set(lines.map((line) => text(field(line, 'product'))).filter((name) => name !== ''))]
  const did = total < 0 ? 'Returned' : 'Activated'
  const where = text(field(after, 'server')) || target || 'a license server'
  const action = text(field(after, 'action'))
  return `${did} ${counted(Math.abs(total), 'seat')}${products.length > 0 ? ` of ${some(products)}` : ''} ${total < 0 ? 'from' : 'on'} ${where}${action === 'REHOST' ? ' (rehost)' : ''}`
}

/** The license file of a license server: its name is there since the words are. */
const generated: Words['done'] = ({ target, after }) =>
  `Generated the license file of ${text(field(after, 'server')) || target}`
const emailedLicense: Words['done'] = ({ target, after }) =>
  `Emailed the license file of ${text(field(after, 'server')) || target} to ${some([...texts(field(after, 'to')), ...texts(field(after, 'cc'))])}`
const group: Words['done'] = ({ target, after }) => {
  const members = texts(after)
  return members.length > 0
    ? `Set who shares the license server ${target}: ${some(members)}`
    : `Nobody shares the license server ${target} any more`
}

const STEPS: Readonly<Record<string, Words['done']>> = {
  return: seats,
  create: seats,
  generate: generated,
  email: emailedLicense,
  override: group,
  'set group': group,
  'deactivate group': group,
}

/** A plan is logged when it is started, and again with each of its steps. */
function plan(did: string, what: string): Words {
  return {
    what,
    done(facts) {
      const { after, target } = facts
      const step = STEPS[text(field(after, 'step'))]
      if (step) return step({ ...facts, after: field(after, 'did') })
      const changes = elements(field(after, 'changes'))
      const moved = changes.reduce<number>((sum, change) => sum + Math.abs(Number(field(change, 'count')) || 0), 0)
      const to = text(field(after, 'target'))
      return `Started to ${did}${target ? ` ${target}` : ''}${to ? ` to ${to}` : ''}${moved > 0 ? `: ${counted(moved, 'seat')}` : ''}`
    },
  }
}

const assigned = (lines: readonly unknown[]) => {
  const holders = [
    ...new Set(lines.map((line) => text(field(line, 'email')) || text(field(line, 'group')) || 'a group')),
  ]
  const products = [...new Set(lines.map((line) => text(field(line, 'product')) || text(field(line, 'activationId'))))]
  return { holders: some(holders), products: some(products) }
}

/** A named view of a table. */
const view = (did: string, what: string): Words => ({
  what: `${what} a view of a table`,
  done({ before, after }) {
    const { name, tableName, owner, isShared } = { ...(isObject(before) ? before : {}), ...(isObject(after) ? after : {}) }
    const shared = isShared ? `shared view "${text(name)}" of ${text(owner)}` : `view "${text(name)}"`
    return `${did} the ${shared} (${text(tableName)})`
  },
})

const AUDIT_TEXTS: Readonly<Record<string, Words>> = {
  'sign-in': { what: 'sign in', done: () => 'Signed in' },
  'sign-out': { what: 'go on with a session', done: () => 'Signed out' },
  'claim-roles': {
    what: 'take roles from the identity provider',
    done: ({ after }) => `Roles from the identity provider: ${some(texts(after)) || 'none'}`,
  },
  'staff.grant': { what: 'grant a role', done: ({ target, after }) => `Granted ${text(after)} to ${target}` },
  'staff.revoke': { what: 'revoke a role', done: ({ target, before }) => `Revoked ${text(before)} from ${target}` },
  'service-key.create': {
    what: 'create a service key',
    done: ({ target, after }) => `Created the service key ${text(field(after, 'name')) || target}`,
  },
  'service-key.revoke': {
    what: 'revoke a service key',
    done: ({ target, before }) => `Revoked the service key ${text(field(before, 'name')) || target}`,
  },
  'license-key.create': act('Created a key that signs license files', 'create a signing key', 'with the id'),
  'license-key.rotate': act('Changed the key that signs license files', 'change the signing key', 'to'),
  'usage.rebuild': act('Computed the sums of usage again', 'compute the sums of usage again'),
  'usage.archive': act('Archived usage', 'archive usage'),
  'usage.detach': act('Took archived usage out of the database', 'take usage out of the database', 'of'),
  'usage.restore': act('Brought archived usage back', 'bring usage back'),
  'audit.checkpoint': {
    what: 'sign checkpoints',
    done: ({ after }) => `Signed ${counted(number(field(after, 'checkpoints')), 'checkpoint')} of the audit log`,
  },
  'audit.retention': {
    what: 'remove the oldest entries of the audit log',
    done: ({ after }) =>
      `Removed the audit log up to sequence ${number(field(after, 'sequence'))}: older than ${counted(number(field(after, 'days')), 'day')}`,
  },
  backup: { what: 'make a backup', done: ({ after }) => `Made a backup${rows(after)}` },
  restore: act('Restored a backup', 'restore a backup'),
  drill: {
    what: 'try a backup',
    done: ({ after }) =>
      `Tried the backup ${text(field(after, 'file'))}: ${field(after, 'isSound') === false ? 'it has faults' : 'it can be restored'}`,
  },
  'database.shard': act('Distributed the database over several nodes', 'distribute the database'),
  'installation-key.wrap': installationKey(
    'Wrapped the secrets of the installation',
    'wrap the secrets of the installation',
  ),
  'installation-key.rotate': installationKey(
    'Wrapped the secrets of the installation again',
    'change the installation key',
  ),
  'installation-key.unwrap': act(
    'Stored the secrets of the installation without a key',
    'unwrap the secrets of the installation',
  ),
  'records.import': {
    what: 'import records',
    done: ({ target, after }) => `Imported ${target}: ${counted(number(field(after, 'read')), 'row')} read`,
  },
  'records.export': { what: 'export records', done: ({ target, after }) => `Exported ${target}${rows(after)}` },

  'fulfillments/create': { what: 'activate seats', done: seats },
  'fulfillments/return': { what: 'return seats', done: seats },
  'fulfillments/save': plan('save the seats of', 'save the seats of a license server'),
  'fulfillments/rehost': plan('rehost', 'rehost a license server'),
  'fulfillments/deactivate': plan('deactivate', 'deactivate a license server'),
  'fulfillments/forcereturn': plan('take back all seats of', 'take back the seats of a lost license server'),
  'fulfillments/renew': plan('renew the entitlements of', 'renew entitlements'),
  'fulfillments/regenerate': plan('generate outdated license files again', 'generate license files again'),
  'fulfillments/license': { what: 'generate a license file', done: generated },
  'fulfillments/download': {
    what: 'download a license file',
    done: ({ target, after }) => `Downloaded the license file of ${text(field(after, 'server')) || target}`,
  },
  'fulfillments/files/text': download('the license file'),
  'fulfillments/email': { what: 'email a license file', done: emailedLicense },
  'fulfillments/override': { what: 'take customers out of a shared license server', done: group },
  sharedserver: { what: 'change who shares a license server', done: group },
  'sharedserver/deactivate': { what: 'leave a shared license server', done: group },
  'sharedserver/remove': {
    what: 'delete a license server',
    done: ({ target, before, after }) =>
      Array.isArray(after)
        ? group({ target, before, after })
        : `Deleted the license server ${text(field(before, 'serverName')) || target}`,
  },
  'fulfillments/plan/files': download('license files'),
  'fulfillments/servers/export': download('the history of license servers'),

  getpin: {
    what: 'read the PIN of an elastic license server',
    done: ({ target, after }) =>
      field(after, 'isPinCreated') ? `Created and read the PIN of ${target}` : `Read the PIN of ${target}`,
  },
  changepin: act('Changed the PIN', 'change the PIN'),
  saveUsers: {
    what: 'save allowed usernames',
    done: ({ target, before, after }) =>
      `Saved the allowed usernames of ${target}${difference(texts(field(before, 'users')), texts(field(after, 'users')))}`,
  },
  setips: act('Saved the IP rules', 'save IP rules'),
  'elastic/unlockpin': {
    what: 'unlock an address',
    done: ({ target, before }) => `Let ${text(field(before, 'externalIp'))} send PINs of ${target} again`,
  },
  'service/elastic/sessions': {
    what: 'start an elastic session',
    done: ({ target }) => `Started an elastic session on ${target}`,
  },
  'service/elastic/sessions/heartbeat': act('Kept an elastic session', 'keep an elastic session'),
  'service/elastic/sessions/end': act('Ended an elastic session', 'end an elastic session'),
  'service/usage': act('Booked usage', 'book usage'),
  'fetchUsage/export': download('usage transactions'),
  'fetchUsage/exports/start': { what: 'export usage', done: () => 'Started an export of usage transactions' },
  'fetchUsage/pdf': download('the usage report'),
  'fetchUsage/email': email('usage transactions'),
  'getEntitlements/export': download('elastic entitlements'),
  'getEntitlements/forecast/export': download('the run-out forecast'),
  'getEntitlements/forecast/pdf': download('the run-out forecast'),
  'getEntitlements/forecast/email': email('the run-out forecast'),
  'elastic/denials/export': download('denied session starts'),
  getPdf: download('a statement'),
  'statements/export': download('a table of a statement'),
  'statements/email': email('a statement'),
  'statements/chargeback/export': download('a chargeback'),
  'statements/chargeback/pdf': download('a chargeback'),
  'statements/chargeback/email': email('a chargeback'),
  emailweek: act('Emailed the weekly statement', 'email the weekly statement', 'as'),
  emailmonth: act('Emailed the monthly statement', 'email the monthly statement', 'as'),
  'statements/mailed/export': download('the list of emailed statements'),
  'statements/mailed/file': download('an emailed statement'),
  'statements/schedule/save': { what: 'change scheduled statements', done: () => 'Changed the scheduled statements' },

  'fetchEntitlements/active/export': download('active entitlements'),
  'fetchEntitlements/inactive/export': download('inactive entitlements'),

  entitlements: {
    what: 'order from a spending account',
    done: ({ target, after }) => {
      const lines = elements(field(after, 'lines'))
      const products = lines.map((line) => text(field(line, 'product')) || text(field(line, 'partNumber')))
      return `Ordered ${some(products.filter((name) => name !== '')) || counted(lines.length, 'product')} from the spending account ${target}`
    },
  },
  'fsa/history/export': download('the order history'),
  'fsa/drafts/save': {
    what: 'save a draft order',
    done: ({ after }) => `Saved the draft order ${text(field(after, 'name'))}`,
  },
  'fsa/drafts/delete': {
    what: 'delete a draft order',
    done: ({ target, before }) => `Deleted the draft order ${text(field(before, 'name')) || target}`,
  },
  'fsa/drafts/quote': download('a quote'),
  'fsa/drafts/quote/pdf': download('a quote'),

  'web/checkouts/export': download('checkouts of web licenses'),
  'web/denials/export': download('denied checkouts of web licenses'),
  'web/assign': {
    what: 'assign web licenses',
    done: ({ before, after }) => {
      const { holders, products } = assigned(elements(Array.isArray(after) ? after : field(after, 'assigned')))
      const from = elements(before).map((line) => text(field(line, 'email')))
      return `Assigned ${products} to ${holders}${from.length > 0 ? ` instead of ${some(from)}` : ''}`
    },
  },
  'web/unassign': {
    what: 'take web licenses back',
    done: ({ before }) => {
      const { holders, products } = assigned(elements(before))
      return `Took ${products} back from ${holders}`
    },
  },
  'web/groups/create': {
    what: 'create a group',
    done: ({ after }) => `Created the group ${text(field(after, 'name'))}`,
  },
  'web/groups/rename': {
    what: 'rename a group',
    done: ({ before, after }) => `Renamed the group ${text(field(before, 'name'))} to ${text(field(after, 'name'))}`,
  },
  'web/groups/delete': {
    what: 'delete a group',
    done: ({ before }) => `Deleted the group ${text(field(before, 'name'))}`,
  },
  'web/groups/members': {
    what: 'change the members of a group',
    done: ({ target, before, after }) =>
      `Changed the members of the group ${text(field(after, 'name')) || target}${difference(texts(field(before, 'removed')), texts(field(after, 'added')))}`,
  },
  'web/users/save': {
    what: 'save web users',
    done: ({ after }) =>
      `Saved the web users ${some(elements(after).map((user) => text(field(user, 'email'))))}`.trimEnd(),
  },
  'web/users/delete': {
    what: 'delete web users',
    done: ({ before }) => `Deleted the web users ${some(elements(before).map((user) => text(field(user, 'email'))))}`,
  },
  'service/web/checkouts': act('Checked a web license out', 'check a web license out'),
  'service/web/checkouts/heartbeat': act('Kept a checkout', 'keep a checkout'),
  'service/web/checkouts/checkin': act('Checked a web license in', 'check a web license in'),
  'web/report/export': download('the report about web licenses'),
  'web/report/pdf': download('the report about web licenses'),
  'optimization/export': download('the optimization report'),
  'optimization/pdf': download('the optimization report'),

  'emails/body': act('Read an email', 'read an email', ''),
  'emails/attachment': {
    what: 'download an attachment of an email',
    done: ({ after }) => `Downloaded the attachment ${text(field(after, 'name'))} of an email`,
  },
  'emails/resend': {
    what: 'send an email again',
    done: ({ before }) => `Sent the email "${text(field(before, 'subject'))}" again`,
  },
  'emails/delete': {
    what: 'delete an email',
    done: ({ before }) => `Deleted the email "${text(field(before, 'subject'))}"`,
  },
  'notifications/stream': act('Listened for notifications', 'listen for notifications'),
  'alerts/create': {
    what: 'publish an alert',
    done: ({ after }) => `Published the alert "${text(field(after, 'title'))}"`,
  },
  'alerts/edit': { what: 'change an alert', done: ({ after }) => `Changed the alert "${text(field(after, 'title'))}"` },
  'alerts/resolve': {
    what: 'resolve an alert',
    done: ({ after }) => `Resolved the alert "${text(field(after, 'title'))}"`,
  },
  'outbox/resend': act('Sent a message again', 'send a message again', 'with the id'),

  'planner/plans/save': {
    what: 'save a renewal plan',
    done: ({ after }) => `Saved the renewal plan ${text(field(after, 'name'))}`.trimEnd(),
  },
  'planner/plans/remove': {
    what: 'remove a renewal plan',
    done: ({ target, before }) => `Removed the renewal plan ${text(field(before, 'name')) || target}`,
  },
  'planner/plans/export': download('a renewal plan'),
  'planner/plans/pdf': download('a renewal plan'),
  'planner/plans/draft': act('Made a draft order of a renewal plan', 'make a draft order of a plan', 'with the id'),

  'webhooks/save': {
    what: 'save a webhook',
    done: ({ before, after }) => `${before ? 'Changed' : 'Added'} the webhook ${text(field(after, 'url'))}`.trimEnd(),
  },
  'webhooks/rotate': act('Made a new secret', 'make a new secret of a webhook', 'for the webhook'),
  'webhooks/remove': {
    what: 'remove a webhook',
    done: ({ target, before }) => `Removed the webhook ${text(field(before, 'url')) || target}`,
  },
  'webhooks/test': act('Sent a test event', 'send a test event', 'to the webhook'),
  'webhooks/resend': act('Sent an event again', 'send an event again', 'to the webhook'),
  'webhooks/replay': act('Sent the events of a time again', 'send events again', 'to the webhook'),

  'license-use/export': download('the use of license servers'),
  'license-use/pdf': download('the use of license servers'),
  'license-use/settings/save': {
    what: 'change what is kept of license servers',
    done: () => 'Changed what is kept of the use of license servers',
  },
  'license-servers/observations': act(
    'Sent what a license server reports',
    'send what a license server reports',
    'for',
  ),
  'service/license-servers/observations': act(
    'Sent what a license server reports',
    'send what a license server reports',
    'for',
  ),
  'license-use/uploads/part': act('Uploaded a part of a log', 'upload a part of a log'),
  'license-use/uploads/start': act('Started to read an uploaded log', 'read an uploaded log'),

  'requests/ask': act('Asked for something', 'ask for something', 'with the request'),
  'requests/withdraw': act('Withdrew the request', 'withdraw a request', ''),
  'requests/approve': act('Approved the request', 'approve a request', ''),
  'requests/decline': act('Declined the request', 'decline a request', ''),
  'requests/rules/save': { what: 'change the rules for requests', done: () => 'Changed the rules for requests' },
  'requests/own/ask': act('Asked for a web license', 'ask for a web license', 'with the request'),
  'requests/own/withdraw': act('Withdrew the request', 'withdraw a request', ''),

  'viewas/start': act('Began to view the portal', 'view the portal as a contact', 'as'),
  'viewas/stop': act('Stopped viewing the portal', 'stop viewing the portal as a contact', 'as'),

  'tokens/create': { what: 'make a token', done: ({ after }) => `Made the token ${text(field(after, 'name'))}` },
  'tokens/roll': {
    what: 'roll a token',
    done: ({ target, after, before }) =>
      `Rolled the token ${text(field(after, 'name')) || text(field(before, 'name')) || target}`,
  },
  'tokens/revoke': {
    what: 'revoke a token',
    done: ({ target, before }) => `Revoked the token ${text(field(before, 'name')) || target}`,
  },
  'tokens/policy/save': { what: 'change the rules for tokens', done: () => 'Changed the rules for tokens' },

  setFeatures: {
    what: 'change feature flags',
    done: ({ before, after }) => `Changed the feature flags${difference(texts(before), texts(after))}`,
  },
  savePreferences: act('Saved the columns and filters', 'save columns and filters'),
  'tableviews/add': view('Saved', 'save'),
  'tableviews/change': view('Changed', 'change'),
  'tableviews/remove': view('Deleted', 'delete'),
  setportalaccess: {
    what: 'change who has access',
    done: ({ before, after }) => {
      const people = (value: unknown) => elements(value).map((one) => text(field(one, 'email')))
      const role = (value: unknown) =>
        new Map(elements(value).map((one) => [text(field(one, 'email')), text(field(one, 'role'))]))
      const were = role(before)
      const changed = [...role(after)].filter(([who, is]) => were.has(who) && were.get(who) !== is).map(([who]) => who)
      const roles = changed.length > 0 ? `, changed the role of ${some(changed)}` : ''
      return `Changed who has access${difference(people(before), people(after))}${roles}`
    },
  },
  setaccountswitches: { what: 'change the switches of the account', done: () => 'Changed the switches of the account' },
  setreminders: { what: 'change reminders', done: () => 'Changed the reminders' },
  createcalendarfeed: {
    what: 'make a calendar address',
    done: ({ after }) => `Made the calendar address ${text(field(after, 'name'))}`,
  },
  revokecalendarfeed: {
    what: 'revoke a calendar address',
    done: ({ before }) => `Revoked the calendar address ${text(field(before, 'name'))}`,
  },
  noteOpenedAccount: act('Opened the account', 'open the account', ''),
  'home/hide': {
    what: 'hide a line of Home',
    done({ target, after }) {
      const until = text(field(after, 'until'))
      return until ? `Put off until ${until} on Home: ${target}` : `Marked as done on Home: ${target}`
    },
  },
  'home/show': act('Showed again on Home:', 'show a line of Home again', ''),
  'tasks/file': {
    what: 'download the file of a background task',
    done: ({ after }) => `Downloaded the file of a background task${named(after)}`,
  },
  'tasks/delete': {
    what: 'delete a background task',
    done: ({ before }) => `Deleted a background task: ${text(field(before, 'fileName'))}`,
  },
  'audit/export': download('the audit log'),
  'audit/lines': download('the audit log'),
  'audit/exports/start': { what: 'export the audit log', done: () => 'Started an export of the audit log' },
}

function named(after: unknown): string {
  const name = text(field(after, 'fileName'))
  return name ? `: ${name}` : ''
}

function rows(after: unknown): string {
  const count = field(after, 'rows')
  return typeof count === 'number' ? ` with ${counted(count, 'row')}` : ''
}

/** ": added a, removed b" */
function difference(before: readonly string[], after: readonly string[]): string {
  const added = after.filter((one) => !before.includes(one))
  const removed = before.filter((one) => !after.includes(one))
  const parts = [
    ...(added.length > 0 ? [`added ${some(added)}`] : []),
    ...(removed.length > 0 ? [`removed ${some(removed)}`] : []),
  ]
  return parts.length > 0 ? `: ${parts.join(', ')}` : ''
}

const MOST_NAMES = 3
function some(names: readonly string[]): string {
  const distinct = [...new Set(names)]
  const others = distinct.length - MOST_NAMES
  return others > 0
    ? `${distinct.slice(0, MOST_NAMES).join(', ')} and ${counted(others, 'other')}`
    : distinct.join(', ')
}

const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`
const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
const field = (value: unknown, name: string): unknown => (isObject(value) ? value[name] : undefined)
const elements = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
const text = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : ''
const texts = (value: unknown): string[] =>
  elements(value)
    .map(text)
    .filter((one) => one !== '')
const number = (value: unknown): number => (typeof value === 'number' ? value : 0)
