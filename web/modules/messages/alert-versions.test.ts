import { expect, test } from 'vitest'
import type { AlertDraft } from '#domain/messages/alert-draft.ts'
import { alertDifferences, isSameDraft } from '#web/modules/messages/alert-versions.ts'

const DRAFT: AlertDraft = {
  category: 'INFO',
  date: '2026-03-01T12:00:00.000Z',
  expires: null,
  description: 'Maintenance',
  service: ['E-mail'],
  links: [],
}

test('a draft that says the same is the same', () => {
  expect(isSameDraft(DRAFT, structuredClone(DRAFT))).toBe(true)
  expect(alertDifferences(DRAFT, structuredClone(DRAFT))).toEqual([])
})

test('only what differs is told, in the words of the form', () => {
  const theirs = { ...DRAFT, category: 'CRITICAL' as const, service: ['E-mail', 'Licensing Portal'] }
  expect(alertDifferences(theirs, { ...DRAFT, links: [{ text: 'More', url: 'https://a.example' }] })).toEqual([
    { what: 'Category', theirs: 'Outage', yours: 'Planned maintenance' },
    { what: 'Services', theirs: 'E-mail, Licensing Portal', yours: 'E-mail' },
    { what: 'Links', theirs: '', yours: 'More: https://a.example' },
  ])
})
