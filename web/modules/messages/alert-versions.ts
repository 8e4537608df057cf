import type { AlertDraft } from '#domain/messages/alert-draft.ts'
import { ALERT_LABELS, type AlertLink } from '#domain/messages/alerts.ts'
import { alertTime } from '#web/lib/dates.ts'
import type { AlertRecord } from '#web/modules/messages/alerts.api.ts'
import type { Difference } from '#web/ui/both-versions/both-versions.tsx'

/** The part of an alert that its author writes. */
export function draftOf({ category, date, expires, description, service, links }: AlertRecord): AlertDraft {
  return { category, date, expires, description, service, links }
}

/** The draft in its form, where removed links are still to be seen until it is saved. */
export type AlertFormDraft = Omit<AlertDraft, 'links'> & { links: FormLink[] }
export type FormLink = AlertLink & { isRemoved?: boolean }

/** What is left of it to be published. */
export function writtenIn(form: AlertFormDraft): AlertDraft {
  const links = form.links.filter((link) => !link.isRemoved).map(({ text, url }) => ({ text, url }))
  return { ...form, links }
}

export function newDraft(now: Date): AlertDraft {
  const minute = new Date(now)
  minute.setSeconds(0, 0)
  return { category: 'INFO', date: minute.toISOString(), expires: null, description: '', service: [], links: [] }
}

export function isSameDraft(one: AlertDraft, other: AlertDraft): boolean {
  return JSON.stringify(partsOf(one)) === JSON.stringify(partsOf(other))
}

/** Field by field, in the words of the form; what both say alike is left out. */
export function alertDifferences(theirs: AlertDraft, yours: AlertDraft): Difference[] {
  const other = partsOf(yours)
  return partsOf(theirs)
    .map(([what, text], place) => ({ what, theirs: text, yours: other[place]?.[1] ?? '' }))
    .filter((difference) => difference.theirs !== difference.yours)
}

function partsOf({ category, date, expires, description, service, links }: AlertDraft): [string, string][] {
  return [
    ['Category', ALERT_LABELS[category]],
    ['Date', date && alertTime(date)],
    ['Expires', expires ? alertTime(expires) : 'Never'],
    ['Services', service.join(', ')],
    ['Description', description],
    ['Links', links.map(({ text, url }) => `${text}: ${url}`).join('\n')],
  ]
}
