import { Type } from 'typebox'
import { declareList, type WireRow } from '#contract/kit/list.ts'
import { webRead, webScope } from '#contract/web-licenses/web-access.ts'
import { WEB_LICENSE_MODELS, type WebLicenseModel } from '#domain/web-licenses/web-license.ts'

const TEXT = { type: 'text' } as const
const count = (description: string) => ({ type: 'number', schema: Type.Integer({ description }) }) as const
const licenseModel = {
  type: 'text',
  schema: Type.Unsafe<WebLicenseModel>(Type.String({ examples: Object.values(WEB_LICENSE_MODELS) })),
} as const
/** Several columns show both, and typing either finds the row. */
const entitlement = {
  type: 'text',
  schema: Type.String({ description: 'Product and activation id, as the screens show them' }),
} as const
const common = { module: 'web-licenses', access: webRead, scope: webScope } as const

export const webEntitlementList = declareList({
  ...common,
  name: 'web/entitlements',
  rows: 'Named User and Shared Web entitlements of an account',
  fields: {
    activationId: TEXT,
    product: TEXT,
    entitlement,
    licenseModel,
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
  ...common,
  name: 'web/seats',
  rows: 'users who are assigned to web entitlements of an account',
  fields: {
    activationId: TEXT,
    product: TEXT,
    entitlement,
    licenseModel,
    email: TEXT,
    name: TEXT,
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
  ...common,
  name: 'web/users',
  rows: 'web users of an account',
  fields: {
    email: TEXT,
    name: TEXT,
    groups: { type: 'text', schema: Type.String({ description: 'Names of the groups of the user' }) },
    entitlements: count('Entitlements to which the user is assigned'),
    running: count('Checkouts that run now'),
    lastCheckout: { type: 'instant', nullable: true },
    addedAt: { type: 'instant' },
  },
  key: ['email'],
  defaultSort: [{ name: 'email', direction: 'asc' }],
  distinct: 'email',
})
export type WebUser = WireRow<typeof webUserList.fields>

export const webGroupList = declareList({
  ...common,
  name: 'web/groups',
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
  ...common,
  name: 'web/members',
  rows: 'members of the groups of an account',
  fields: { groupId: TEXT, group: TEXT, email: TEXT, name: TEXT },
  key: ['groupId', 'email'],
  defaultSort: [{ name: 'email', direction: 'asc' }],
  distinct: 'group',
})
export type WebMember = WireRow<typeof webMemberList.fields>

export const webGroupAssignmentList = declareList({
  ...common,
  name: 'web/groupassignments',
  rows: 'groups that are assigned to web entitlements of an account',
  fields: {
    activationId: TEXT,
    product: TEXT,
    licenseModel,
    groupId: TEXT,
    group: TEXT,
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
