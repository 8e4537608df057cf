import { Type } from 'typebox'
import { declareList, type WireRow } from '#contract/kit/list.ts'
import { count, licenseModel, TEXT, text, webList } from '#contract/web-licenses/web-fields.ts'

/** Several columns show both, and typing either finds the row. */
const entitlement = text('Product and activation id, as the screens show them')
const group = { groupId: TEXT, group: TEXT } as const
const user = { email: TEXT, name: TEXT } as const
const license = { activationId: TEXT, product: TEXT, licenseModel } as const

export const webEntitlementList = declareList({
  ...webList,
  name: 'web/entitlements',
  token: 'activations',
  rows: 'Named User and Shared Web entitlements of an account',
  fields: {
    ...license,
    entitlement,
    quantity: count(
      'Named User: how many users can be assigned. Shared Web: how many checkouts can run at the same time.',
    ),
    assigned: count('Users who are assigned, directly or through groups'),
    groups: count('Groups that are assigned'),
    running: count('Checkouts that run now'),
    startDate: { type: 'day' },
    endDate: { type: 'day', nullable: true, missingIsFuture: true },
  },
  key: ['activationId'],
  defaultSort: [{ name: 'endDate', direction: 'asc' }],
  distinct: 'product',
})
export type WebEntitlement = WireRow<typeof webEntitlementList.fields>

export const webSeatList = declareList({
  ...webList,
  name: 'web/seats',
  token: 'activations',
  rows: 'users who are assigned to web entitlements of an account',
  fields: {
    ...license,
    entitlement,
    ...user,
    isDirect: { type: 'boolean', schema: Type.Boolean({ description: 'Assigned by name, not only through a group' }) },
    assignment: {
      type: 'text',
      schema: Type.String({ examples: ['By name', 'Through Design, Test', 'By name, Through Design'] }),
    },
    since: { type: 'instant' },
    running: count('Checkouts of the user on this entitlement that run now'),
  },
  key: ['activationId', 'email'],
  defaultSort: [
    { name: 'product', direction: 'asc' },
    { name: 'email', direction: 'asc' },
  ],
  distinct: 'product',
})
export type WebSeat = WireRow<typeof webSeatList.fields>

export const webUserList = declareList({
  ...webList,
  name: 'web/users',
  token: 'activations',
  rows: 'web users of an account',
  fields: {
    ...user,
    groups: text('Names of the groups of the user'),
    entitlements: count('Entitlements to which the user is assigned'),
    running: count('Checkouts that run now'),
    lastCheckout: { type: 'instant', nullable: true },
    addedAt: { type: 'instant' },
    isManaged: { type: 'boolean', schema: Type.Boolean({ description: 'The identity provider manages the user' }) },
  },
  key: ['email'],
  defaultSort: [{ name: 'email', direction: 'asc' }],
  distinct: 'email',
})
export type WebUser = WireRow<typeof webUserList.fields>

export const webGroupList = declareList({
  ...webList,
  name: 'web/groups',
  token: 'activations',
  rows: 'groups of web users of an account',
  fields: {
    groupId: TEXT,
    name: TEXT,
    members: count('Users in the group'),
    entitlements: count('Entitlements to which the group is assigned'),
    createdAt: { type: 'instant' },
  },
  key: ['groupId'],
  defaultSort: [{ name: 'name', direction: 'asc' }],
  distinct: 'name',
})
export type WebGroup = WireRow<typeof webGroupList.fields>

export const webMemberList = declareList({
  ...webList,
  name: 'web/members',
  token: 'activations',
  rows: 'members of the groups of an account',
  fields: {
    ...group,
    ...user,
    isManaged: {
      type: 'boolean',
      schema: Type.Boolean({ description: 'A group of the identity provider makes the user a member' }),
    },
  },
  key: ['groupId', 'email'],
  defaultSort: [{ name: 'email', direction: 'asc' }],
  distinct: 'group',
})
export type WebMember = WireRow<typeof webMemberList.fields>

export const webGroupAssignmentList = declareList({
  ...webList,
  name: 'web/groupassignments',
  token: 'activations',
  rows: 'groups that are assigned to web entitlements of an account',
  fields: {
    ...license,
    ...group,
    members: count('Users in the group'),
    since: { type: 'instant' },
  },
  key: ['activationId', 'groupId'],
  defaultSort: [
    { name: 'product', direction: 'asc' },
    { name: 'group', direction: 'asc' },
  ],
  distinct: 'group',
})
export type WebGroupAssignment = WireRow<typeof webGroupAssignmentList.fields>
