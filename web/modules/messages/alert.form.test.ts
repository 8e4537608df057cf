import { expect, test } from 'vitest'
import {
  type AlertDraft,
  DATE_REQUIRED,
  DESCRIPTION_REQUIRED,
  EXPIRES_TOO_EARLY,
  LINK_ADDRESS_INVALID,
  LINK_MISLEADING,
  LINK_TEXT_REQUIRED,
  SERVICE_REQUIRED,
} from '#domain/messages/alert-draft.ts'
import { differencesBetween } from '#web/form/versions.ts'
import { ALERT_FIELDS, alertFormErrors } from '#web/modules/messages/alert.form.ts'

const DRAFT: AlertDraft = {
  category: 'INFO',
  date: '2026-03-01T12:00:00.000Z',
  expires: null,
  description: 'Maintenance',
  service: ['Email'],
  links: [],
}

test('a conflict shows only what differs, in the words of the form', () => {
  const theirs = { ...DRAFT, category: 'CRITICAL' as const, service: ['Email', 'Licensing Portal'] }
  const yours = { ...DRAFT, links: [{ text: 'More', url: 'https://a.example' }] }
  expect(differencesBetween(ALERT_FIELDS, { original: DRAFT, theirs, yours })).toMatchObject([
    { label: 'Category', theirs: 'Outage', yours: 'Planned maintenance' },
    { label: 'Services', theirs: 'Email, Licensing Portal', yours: 'Email' },
    { label: 'Links', theirs: '', yours: 'More: https://a.example' },
  ])
})

test.each<[Partial<AlertDraft>, Record<string, string>]>([
  [{}, {}],
  [{ date: '' }, { date: DATE_REQUIRED }],
  [{ expires: '2026-03-01T11:00:00.000Z' }, { expires: EXPIRES_TOO_EARLY }],
  [
    { description: ' ', service: [] },
    { description: DESCRIPTION_REQUIRED, service: SERVICE_REQUIRED },
  ],
  [
    {
      links: [
        { text: 'Good', url: 'https://a.example' },
        { text: '', url: 'ftp://a.example' },
      ],
    },
    { 'links.1.text': LINK_TEXT_REQUIRED, 'links.1.url': LINK_ADDRESS_INVALID },
  ],
  [{ links: [{ text: 'Status', url: 'https://vendor.example@evil.example' }] }, { 'links.0.url': LINK_MISLEADING }],
])('puts the errors of %j on their fields', (part, expected) => {
  const errors = Object.entries(alertFormErrors({ ...DRAFT, ...part }, 'ACTIVE')).filter(([, error]) => error)
  expect(Object.fromEntries(errors)).toEqual(expected)
})
