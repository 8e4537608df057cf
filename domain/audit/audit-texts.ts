import { ACTIVATIONS_WORDS } from '#domain/activations/activations.audit.ts'
import { OPERATOR_WORDS } from '#domain/audit/operator.audit.ts'
import {
  type AuditedAct,
  act,
  download,
  field,
  isObject,
  named,
  plain,
  some,
  text,
  type Words,
  type WordsByAction,
} from '#domain/audit/words.ts'
import { ELASTIC_WORDS } from '#domain/elastic/elastic.audit.ts'
import { FSA_WORDS } from '#domain/fsa/fsa.audit.ts'
import { LICENSE_USE_WORDS } from '#domain/license-use/license-use.audit.ts'
import { MESSAGES_WORDS } from '#domain/messages/messages.audit.ts'
import { PLANNER_WORDS } from '#domain/planner/planner.audit.ts'
import { REQUESTS_WORDS } from '#domain/requests/requests.audit.ts'
import { SETTINGS_WORDS } from '#domain/settings/settings.audit.ts'
import { TOKENS_WORDS } from '#domain/tokens/tokens.audit.ts'
import { WEB_LICENSES_WORDS } from '#domain/web-licenses/web-licenses.audit.ts'
import { WEBHOOKS_WORDS } from '#domain/webhooks/webhooks.audit.ts'

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

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

function refusedText({ action, target, reason }: AuditedAct, words: Words | undefined, summary: string | undefined) {
  // The rest of a summary is for those who write programs.
  const what = words ? `Refused to ${words.what}` : `Refused: ${summary?.split(/[,;:(]/)[0]?.trim() ?? action}`
  // An id says nothing to people, and the entry has it beside its words.
  return `${what}${target && !UUID.test(target) ? ` (${target})` : ''}. ${reason ?? ''}`.trim()
}

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

/** Words of modules that have only a few are here. */
const AUDIT_TEXTS: WordsByAction = {
  ...OPERATOR_WORDS,
  ...ACTIVATIONS_WORDS,
  ...ELASTIC_WORDS,
  ...FSA_WORDS,
  ...WEB_LICENSES_WORDS,
  ...MESSAGES_WORDS,
  ...PLANNER_WORDS,
  ...WEBHOOKS_WORDS,
  ...LICENSE_USE_WORDS,
  ...REQUESTS_WORDS,
  ...SETTINGS_WORDS,
  ...TOKENS_WORDS,
  'fetchEntitlements/active/export': download('active entitlements'),
  'fetchEntitlements/inactive/export': download('inactive entitlements'),
  'optimization/export': download('the optimization report'),
  'optimization/pdf': download('the optimization report'),
  setreminders: plain('Changed the reminders', 'change reminders'),
  createcalendarfeed: named('Made the calendar address', 'make a calendar address', 'after'),
  revokecalendarfeed: named('Revoked the calendar address', 'revoke a calendar address', 'before'),
  'home/hide': {
    what: 'hide a line of Home',
    done({ target, after }) {
      const until = text(field(after, 'until'))
      return until ? `Put off until ${until} on Home: ${target}` : `Marked as done on Home: ${target}`
    },
  },
  'home/show': act('Showed again on Home:', 'show a line of Home again', ''),
  'tasks/file': named(
    'Downloaded the file of a background task:',
    'download the file of a background task',
    'after',
    'fileName',
  ),
  'tasks/delete': named('Deleted a background task:', 'delete a background task', 'before', 'fileName'),
  'audit/export': download('the audit log'),
  'audit/lines': download('the audit log'),
  'audit/exports/start': plain('Started an export of the audit log', 'export the audit log'),
}
