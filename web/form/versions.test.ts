import { describe, expect, test } from 'vitest'
import type { Fields } from '#web/form/fields.ts'
import { differencesBetween, isSame, mergeVersions, type Side } from '#web/form/versions.ts'

type Contact = { email: string; role: string }
type Values = { isOpen: boolean; note: string; contacts: Contact[] }

const FIELDS: Fields<Values> = {
  isOpen: { label: 'Open', text: (is) => (is ? 'Yes' : 'No') },
  note: { label: 'Note' },
  contacts: {
    label: 'Contacts',
    newRow: { email: '', role: '' },
    byRow: { keyOf: ({ email }) => email.toLowerCase(), text: ({ role }) => role, absent: 'Not a contact' },
  },
}

const ada = { email: 'ada@a.example', role: 'Administrator' }
const vic = { email: 'vic@a.example', role: 'Viewer' }
const ned = { email: 'ned@a.example', role: 'Viewer' }
const eve = { email: 'eve@a.example', role: 'Viewer' }
const vicAsAdministrator = { ...vic, role: 'Administrator' }

const BASE: Values = { isOpen: false, note: 'Hello', contacts: [ada, vic] }
const contacts = (list: Contact[]): Values => ({ ...BASE, contacts: list })

/** Merges as the panel does when nothing is chosen by hand. */
function merged(theirs: Values, yours: Values): Values {
  const differences = differencesBetween(FIELDS, { original: BASE, theirs, yours })
  const suggested = new Map<string, Side>(differences.map((one) => [one.id, one.suggested]))
  return mergeVersions(FIELDS, { theirs, yours }, (id) => suggested.get(id) ?? 'theirs')
}

describe('the suggested merge', () => {
  test.each<[string, Contact[], Contact[], Contact[]]>([
    ['both added a row', [ada, vic, ned], [ada, vic, eve], [ada, vic, eve, ned]],
    ['you removed a row and they added one', [ada], [ada, vic, eve], [ada, eve]],
    [
      'you changed a row and they added one',
      [ada, vicAsAdministrator],
      [ada, vic, eve],
      [ada, vicAsAdministrator, eve],
    ],
    ['they removed the row that you changed', [ada, vicAsAdministrator], [ada], [ada]],
    [
      'both added the same row',
      [ada, vic, { ...ned, role: 'Administrator' }],
      [ada, vic, ned],
      [ada, vic, { ...ned, role: 'Administrator' }],
    ],
    ['you changed nothing', [ada, vic], [ada], [ada]],
  ])('loses no row when %s', (_, yours, theirs, expected) => {
    expect(merged(contacts(theirs), contacts(yours)).contacts).toEqual(expected)
  })

  test('takes each field from the side that changed it, and yours if both did', () => {
    const theirs = { ...BASE, isOpen: true, note: 'Theirs' }
    expect(merged(theirs, { ...BASE, note: 'Yours' })).toEqual({ ...BASE, isOpen: true, note: 'Yours' })
  })
})

test('differences name the field, or the row of a list that is compared by row', () => {
  const theirs = { ...BASE, isOpen: true, contacts: [ada, vic, eve] }
  const yours = { ...BASE, contacts: [ada, { ...vicAsAdministrator, email: 'Vic@A.example' }, ned] }
  expect(differencesBetween(FIELDS, { original: BASE, theirs, yours })).toEqual([
    { id: 'isOpen', label: 'Open', theirs: 'Yes', yours: 'No', suggested: 'theirs' },
    {
      id: 'contacts/eve@a.example',
      label: 'eve@a.example',
      theirs: 'Viewer',
      yours: 'Not a contact',
      suggested: 'theirs',
    },
    {
      id: 'contacts/ned@a.example',
      label: 'ned@a.example',
      theirs: 'Not a contact',
      yours: 'Viewer',
      suggested: 'yours',
    },
    {
      id: 'contacts/vic@a.example',
      label: 'vic@a.example',
      theirs: 'Viewer',
      yours: 'Administrator',
      suggested: 'yours',
    },
  ])
})

test('a choice per line overrides the suggestion', () => {
  const theirs = { ...BASE, note: 'Theirs', contacts: [ada, vic, eve] }
  const yours = { ...BASE, note: 'Yours', contacts: [ada, vic, ned] }
  const choices: Record<string, Side> = {
    note: 'theirs',
    'contacts/eve@a.example': 'yours',
    'contacts/ned@a.example': 'yours',
  }
  const values = mergeVersions(FIELDS, { theirs, yours }, (id) => choices[id] ?? 'theirs')
  expect(values).toEqual({ ...BASE, note: 'Theirs', contacts: [ada, vic, ned] })
})

test('values with the same text are equal, unless a row appears twice', () => {
  expect(isSame(FIELDS, contacts([vic, { ...ada, email: 'ADA@a.example' }]), BASE)).toBe(true)
  expect(isSame(FIELDS, contacts([ada, vic, vic]), BASE)).toBe(false)
  expect(isSame(FIELDS, { ...BASE, note: 'Bye' }, BASE)).toBe(false)
})
