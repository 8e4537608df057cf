import type { HomeMatter } from '#contract/home/account-home.ts'
import { SESSION_DENIALS } from '#domain/elastic/sessions/session-refusal.ts'
import { ENDS_SOON, type MatterGroup, type MatterKind } from '#domain/home/work-list.ts'
import { CHECKOUT_DENIALS } from '#domain/web-licenses/checkout.ts'
import { countOf, countText } from '#web/lib/format.ts'
import { leasesEndText } from '#web/parts/entitlement/leases-end-text.ts'

type Texts = { readonly text: string; readonly reason: string }

/** One line of the work list: what waits, and why it matters. */
export function matterTexts({ kind, subject, user, count, withSeats, day }: HomeMatter): Texts {
  const ends = (noun: string) => `${countOf(count, noun)} ${count === 1 ? 'ends' : 'end'} within ${ENDS_SOON} days`
  const first = day === null ? '' : count === 1 ? `On ${dayText(day)}.` : `The first on ${dayText(day)}.`
  const times = count === 1 ? 'once' : `${countText(count)} times`
  switch (kind) {
    case 'UNITS_USED_UP':
      return { text: 'Elastic units are used up', reason: 'New sessions are denied until there are units again.' }
    case 'UNITS_ENDED':
      return {
        text: 'Elastic units have ended',
        reason: `The last ones ended on ${day === null ? '' : dayText(day)}. New sessions are denied until there are units again.`,
      }
    case 'LIMIT_REACHED':
      return {
        text: `${subject} has reached its limit`,
        reason: 'New sessions are refused until it resets or is raised.',
      }
    case 'LIMIT_NEAR':
      return { text: `${subject} has come to where its limit warns`, reason: 'New sessions are refused at the limit.' }
    case 'UNITS_RUN_OUT':
      return {
        text: `Elastic units${subject && ` (${subject})`} last until ${day === null ? '' : dayText(day)}`,
        reason: 'At the average of the last weeks. New sessions are denied after that.',
      }
    case 'ADDRESS_LOCKED':
      return {
        text: `${subject} is locked after ${countOf(count, 'wrong PIN')}`,
        reason: 'Nobody can start a session from there before it is unlocked.',
      }
    case 'ADDRESS_DENIED':
      return { text: `${subject} was denied ${times}`, reason: lately(SESSION_DENIALS.ADDRESS_NOT_ALLOWED) }
    case 'USER_DENIED':
      return { text: `${subject} was denied ${times}`, reason: lately(SESSION_DENIALS.USER_NOT_ALLOWED) }
    case 'PRODUCT_DENIED':
      return { text: `${subject} was denied ${times}`, reason: lately(SESSION_DENIALS.UNKNOWN_PRODUCT) }
    case 'PIN_DENIED':
      return {
        text: `${countOf(count, 'session start')} ${count === 1 ? 'was' : 'were'} denied`,
        reason: lately(SESSION_DENIALS.WRONG_PIN),
      }
    case 'LOCK_ENDED':
      return {
        text: `${subject} was locked after ${countOf(count, 'wrong PIN')}`,
        reason: 'In the last 7 days. The lock has ended, and the next wrong PIN locks it again.',
      }
    case 'CHECKOUT_DENIED':
      return { text: `${subject} was denied ${times}`, reason: lately(CHECKOUT_DENIALS.NO_SEAT) }
    case 'CHECKOUT_UNASSIGNED':
      return {
        text: `${user} was denied ${subject} ${times}`,
        reason: lately(CHECKOUT_DENIALS.USER_NOT_ASSIGNED),
      }
    case 'CHECKOUT_EXPIRED':
      return { text: `${subject} was denied ${times}`, reason: lately(CHECKOUT_DENIALS.ENTITLEMENT_EXPIRED) }
    case 'SEATS_DENIED':
      return {
        text: `${subject}: ${countOf(count, 'denial')} on license servers`,
        reason: 'In the last 7 days. All seats were in use, and no seats have been added since.',
      }
    case 'SERVERS_SILENT':
      return {
        text: `${countOf(count, 'license server')} ${count === 1 ? 'has' : 'have'} not reported for a day`,
        reason: 'Its collector has stopped sending data.',
      }
    case 'REQUESTS_WAIT':
      return {
        text: `${countOf(count, 'request')} ${count === 1 ? 'waits' : 'wait'}`,
        reason: 'Somebody needs a license, seats or an order and cannot do it themselves.',
      }
    case 'ACCESS_UNDECIDED':
      return {
        text: `Access review: ${countText(count)} not decided`,
        reason: dueText(day),
      }
    case 'REVIEW_UNFINISHED':
      return { text: 'Access review: everything is decided', reason: `Finish it to get its report. ${dueText(day)}` }
    case 'LEASES_END':
      return {
        text: leasesEndText(count, withSeats, `within ${ENDS_SOON} days`),
        reason: `The first seats without a renewal end on ${day === null ? '' : dayText(day)}.`,
      }
    case 'WEB_LICENSES_END':
      return { text: ends('web license'), reason: first }
    case 'ELASTIC_ENDS':
      return { text: ends('elastic entitlement'), reason: `${first} Unused units expire.` }
    case 'CONTRACTS_END':
      return { text: ends('spending account'), reason: `${first} What is left then can no longer be ordered from.` }
    case 'FILES_OUT_OF_DATE':
      return {
        text: `${countOf(count, 'license file')} ${count === 1 ? 'is' : 'are'} out of date`,
        reason: 'Seats changed after the file was generated.',
      }
    case 'DOMAINS_FAILING':
      return {
        text: `The DNS record of ${countOf(count, 'domain')} was not found`,
        reason: 'After 30 days without it, the domain no longer leads to your sign-in provider.',
      }
    case 'EMAILS_UNDELIVERED':
      return {
        text: `${countOf(count, 'email')} could not be delivered`,
        reason: count === 1 ? 'The recipient did not get it.' : 'The recipients did not get them.',
      }
    case 'MAINTENANCE_ENDED':
      return {
        text: `Maintenance of ${countOf(count, 'permanent license')} has ended`,
        reason: 'You cannot rehost them or run newer versions.',
      }
  }
}

/** What several matters of one cause are called. */
const GROUP_NOUNS: Partial<Record<MatterKind, readonly [noun: string, what: string]>> = {
  LIMIT_REACHED: ['limit', 'are reached'],
  LIMIT_NEAR: ['limit', 'are almost reached'],
  UNITS_RUN_OUT: ['currency', 'of elastic units run out'],
  CHECKOUT_EXPIRED: ['product', 'had only expired web licenses'],
  CHECKOUT_DENIED: ['product', 'had no free web seat'],
  PRODUCT_DENIED: ['product', 'are not in the rate table'],
  SEATS_DENIED: ['feature', 'had no free seat'],
  ADDRESS_LOCKED: ['address', 'are locked after wrong PINs'],
  ADDRESS_DENIED: ['address', 'were denied'],
  USER_DENIED: ['username', 'were denied'],
  CHECKOUT_UNASSIGNED: ['person', 'need a web license'],
  LOCK_ENDED: ['address', 'were locked after wrong PINs'],
}
const PLURALS: Readonly<Record<string, string>> = { currency: 'currencies', address: 'addresses', person: 'people' }

/** One line for matters of one cause: how many, and the first of them by name. */
export function groupTexts({ matters, more }: Pick<MatterGroup<HomeMatter>, 'matters' | 'more'>): Texts {
  const [first] = matters
  const names = [
    ...new Set(matters.map(({ kind, subject, user }) => (kind === 'CHECKOUT_UNASSIGNED' ? user : subject))),
  ]
  const [noun, what] = GROUP_NOUNS[first.kind] ?? ['matter', 'wait']
  const count = `${more > 0 ? 'More than ' : ''}${countText(names.length)}`
  const rest = names.length - NAMED
  return {
    text: `${count} ${PLURALS[noun] ?? `${noun}s`} ${what}`,
    reason: `${names.slice(0, NAMED).join(', ')}${rest > 0 ? ` and ${more > 0 ? 'others' : `${countText(rest)} more`}` : ''}`,
  }
}

/** So many are named in the line of a group. */
const NAMED = 3

const lately = (reason: string) => `In the last 7 days. ${reason}`

/** The screen that a person must be able to open, to have the matter on the list. */
export const MATTER_SCREENS: Readonly<Record<MatterKind, string>> = {
  UNITS_USED_UP: 'elastic',
  UNITS_ENDED: 'elastic',
  UNITS_RUN_OUT: 'elastic',
  ELASTIC_ENDS: 'elastic',
  LIMIT_REACHED: 'limits',
  LIMIT_NEAR: 'limits',
  ADDRESS_LOCKED: 'elastic-denials',
  ADDRESS_DENIED: 'elastic-denials',
  USER_DENIED: 'elastic-denials',
  PRODUCT_DENIED: 'elastic-denials',
  PIN_DENIED: 'elastic-denials',
  LOCK_ENDED: 'elastic-denials',
  CHECKOUT_DENIED: 'web-reporting',
  CHECKOUT_UNASSIGNED: 'web-reporting',
  CHECKOUT_EXPIRED: 'web-reporting',
  SEATS_DENIED: 'license-use',
  SERVERS_SILENT: 'license-use',
  REQUESTS_WAIT: 'requests',
  ACCESS_UNDECIDED: 'access-review',
  REVIEW_UNFINISHED: 'access-review',
  DOMAINS_FAILING: 'sign-in-provider',
  LEASES_END: 'ssl',
  WEB_LICENSES_END: 'ssl',
  MAINTENANCE_ENDED: 'ssl',
  CONTRACTS_END: 'entitlementsFSA',
  FILES_OUT_OF_DATE: 'activations-history',
  EMAILS_UNDELIVERED: 'emails',
}

const dueText = (day: string | null) => (day === null ? '' : `Due on ${dayText(day)}.`)

const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', timeZone: 'UTC' })
/** For example 12 December. */
export const dayText = (day: string): string => DAY.format(new Date(`${day}T00:00:00Z`))
