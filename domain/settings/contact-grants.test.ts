import { expect, test } from 'vitest'
import { ADMINISTRATOR, type ContactRole, SUPPORT_COORDINATOR, VIEWER } from '#domain/access/roles.ts'
import { actor, type Standing } from '#domain/access/standing.ts'
import { LAST_ADMINISTRATOR, ONLY_BUSINESS_OPERATIONS, refusalOfChange } from '#domain/settings/contact-grants.ts'
import type { Contact } from '#domain/settings/contacts.ts'

const standing: Standing = {
  customerNumber: '1',
  contactRole: null,
  isSalesAccess: false,
  isFNPLicenseGenerator: false,
  isAccessDisabled: false,
  exportControlStatus: '',
  orgType: 'Direct',
  holdings: { elastic: 0, ssl: true, fsa: false, sharedWeb: false, namedUser: false },
}
const nobody = actor('x@aerodyne.example', [])
const WHO = {
  busops: [actor('olivia@vendor.example', ['busops']), standing],
  administrator: [nobody, { ...standing, contactRole: ADMINISTRATOR }],
  coordinator: [nobody, { ...standing, contactRole: SUPPORT_COORDINATOR }],
} as const

const is = (name: string, role: ContactRole): Contact => ({ email: `${name}@aerodyne.example`, role })
const ada = is('ada', ADMINISTRATOR)
const cora = is('cora', SUPPORT_COORDINATOR)
const vic = is('vic', VIEWER)

test.each<[keyof typeof WHO, string, Contact[], Contact[], string | undefined]>([
  ['administrator', 'grants Viewer', [ada], [ada, vic], undefined],
  ['administrator', 'grants Administrator', [ada], [ada, is('bob', ADMINISTRATOR)], undefined],
  ['administrator', 'promotes a Viewer', [ada, vic], [ada, is('vic', ADMINISTRATOR)], undefined],
  ['administrator', 'grants Coordinator', [ada], [ada, cora], ONLY_BUSINESS_OPERATIONS],
  ['administrator', 'removes a Coordinator', [ada, cora], [ada], ONLY_BUSINESS_OPERATIONS],
  ['administrator', 'demotes a Coordinator', [ada, cora], [ada, is('cora', VIEWER)], ONLY_BUSINESS_OPERATIONS],
  [
    'administrator',
    'turns a Viewer into a Coordinator',
    [ada, vic],
    [ada, is('vic', SUPPORT_COORDINATOR)],
    ONLY_BUSINESS_OPERATIONS,
  ],
  ['coordinator', 'grants Coordinator', [cora], [cora, is('carl', SUPPORT_COORDINATOR)], ONLY_BUSINESS_OPERATIONS],
  ['coordinator', 'grants Administrator', [cora], [cora, ada], undefined],
  ['administrator', 'removes the last Administrator', [ada, vic], [vic], LAST_ADMINISTRATOR],
  ['administrator', 'demotes the last Administrator', [ada], [is('ada', VIEWER)], LAST_ADMINISTRATOR],
  ['administrator', 'removes everybody', [ada], [], LAST_ADMINISTRATOR],
  ['administrator', 'leaves a Coordinator in charge', [ada, cora], [cora], undefined],
  ['administrator', 'replaces the last Administrator', [ada], [is('bob', ADMINISTRATOR)], undefined],
  ['administrator', 'changes a list that nobody is in charge of', [vic], [], undefined],
  ['busops', 'grants Coordinator', [ada], [ada, cora], undefined],
  ['busops', 'removes a Coordinator', [ada, cora], [ada], undefined],
  ['busops', 'removes everybody', [ada, cora], [], undefined],
])('%s %s', (who, _, before, after, reason) => {
  const [person, on] = WHO[who]
  expect(refusalOfChange(person, on, before, after)?.reason).toBe(reason)
})
