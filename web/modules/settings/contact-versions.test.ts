import { describe, expect, test } from 'vitest'
import { ADMINISTRATOR, VIEWER } from '#domain/access/roles.ts'
import type { Contact } from '#domain/settings/contacts.ts'
import { changesRoleOf, contactDifferences, withMyChanges } from '#web/modules/settings/contact-versions.ts'

const ada: Contact = { email: 'ada@a.example', role: ADMINISTRATOR }
const vic: Contact = { email: 'vic@a.example', role: VIEWER }
const ned: Contact = { email: 'ned@a.example', role: VIEWER }
const eve: Contact = { email: 'eve@a.example', role: VIEWER }
const vicAsAdministrator: Contact = { ...vic, role: ADMINISTRATOR }

describe('two people saving at once', () => {
  test.each<[string, Contact[], Contact[], Contact[]]>([
    ['both have added somebody', [ada, vic, ned], [ada, vic, eve], [ada, vic, eve, ned]],
    ['I have removed, they have added', [ada], [ada, vic, eve], [ada, eve]],
    [
      'I have changed a role, they have added',
      [ada, vicAsAdministrator],
      [ada, vic, eve],
      [ada, vicAsAdministrator, eve],
    ],
    ['they have removed whom I have changed', [ada, vicAsAdministrator], [ada], [ada]],
    [
      'both have added the same person',
      [ada, vic, { ...ned, role: ADMINISTRATOR }],
      [ada, vic, ned],
      [ada, vic, { ...ned, role: ADMINISTRATOR }],
    ],
    ['I have changed nothing', [ada, vic], [ada], [ada]],
  ])('lose nothing when %s', (_, mine, theirs, merged) => {
    expect(withMyChanges([ada, vic], mine, theirs)).toEqual(merged)
  })

  test('are told where their lists differ', () => {
    expect(contactDifferences([ada, vic, eve], [ada, { ...vicAsAdministrator, email: ' Vic@A.example' }, ned])).toEqual(
      [
        { what: 'eve@a.example', theirs: VIEWER, yours: 'Not a contact' },
        { what: 'ned@a.example', theirs: 'Not a contact', yours: VIEWER },
        { what: 'vic@a.example', theirs: VIEWER, yours: ADMINISTRATOR },
      ],
    )
  })
})

test.each<[string, Contact[], boolean]>([
  ['ADA@a.example', [vic], true],
  ['ada@a.example', [{ ...ada, role: VIEWER }], true],
  ['ada@a.example', [ada], false],
  ['olivia@vendor.example', [], false],
])('the role of %s changes: %j → %s', (email, after, loses) => {
  expect(changesRoleOf(email, [ada, vic], after)).toBe(loses)
})
