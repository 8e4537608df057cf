import { type Static, Type } from 'typebox'
import { declareList, MAX_NUMBER, type WireRow } from '#contract/kit/list.ts'
import { operation } from '#contract/kit/operation.ts'
import { CustomerNumber, exactly, requestFields } from '#contract/kit/schema.ts'
import { field, named, number, text } from '#domain/audit/words.ts'
import { GIVEN_ROLES, type GivenRole } from '#domain/provisioning/wanted-access.ts'

/* What people do on the screen. The protocol of identity providers is in scim.ts. */

const access = { kind: 'account', action: 'provisioning.manage', customerNumberIn: 'body' } as const
const common = { access, token: null } as const
const scope = { customerNumber: CustomerNumber }
const Instant = Type.String({ format: 'date-time' })
const Id = Type.String({ format: 'uuid' })
const orNull = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) => Type.Union([schema, Type.Null()])

const State = exactly({
  baseAddress: Type.String({
    description: 'What identity providers ask for as the tenant URL or base URL',
    examples: ['https://portal.example.com/scim/v2/100001'],
  }),
  lastCallAt: orNull(Instant),
  lastChangeAt: orNull(Type.String({ format: 'date-time', description: 'When a call changed a person or a group' })),
  failedCalls: Type.Integer({ description: 'Of the calls in the log' }),
  people: Type.Integer({ description: 'Active people who came from the identity provider' }),
  groups: Type.Integer(),
  mappedGroups: Type.Integer({ description: 'Groups that give a role or a web group' }),
})
export type ProvisioningState = Static<typeof State>

export const getProvisioning = operation({
  ...common,
  name: 'provisioning',
  summary: 'The base address of provisioning by SCIM, and the state of the last sync',
  writes: false,
  body: requestFields(scope),
  data: State,
})

export const scimPersonList = declareList({
  ...common,
  name: 'provisioning/people',
  rows: 'people who came by SCIM',
  scope,
  fields: {
    id: { type: 'text' },
    userName: { type: 'text' },
    name: { type: 'text' },
    email: { type: 'text' },
    isActive: { type: 'boolean' },
    role: { type: 'text', nullable: true, schema: Type.String({ description: 'The role in the portal' }) },
    groups: { type: 'text', schema: Type.String({ description: 'Names of the groups of the identity provider' }) },
    department: { type: 'text' },
    costCenter: { type: 'text' },
    externalId: { type: 'text' },
    changedAt: { type: 'instant' },
  },
  key: ['id'],
  defaultSort: [{ name: 'userName', direction: 'asc' }],
  distinct: 'department',
})
export type ScimPerson = WireRow<typeof scimPersonList.fields>

const Role = Type.Unsafe<GivenRole>({ type: 'string', enum: [...GIVEN_ROLES] })

export const scimGroupList = declareList({
  ...common,
  name: 'provisioning/groups',
  rows: 'groups that came by SCIM, with what they give',
  scope,
  fields: {
    id: { type: 'text' },
    name: { type: 'text' },
    members: { type: 'number', schema: Type.Integer() },
    gives: {
      type: 'text',
      schema: Type.String({ examples: ['Nothing', 'Licensing Portal Viewer', 'Web group Design'] }),
    },
    role: { type: 'text', nullable: true, schema: Role },
    webGroupId: { type: 'text', nullable: true },
    externalId: { type: 'text' },
    changedAt: { type: 'instant' },
  },
  key: ['id'],
  defaultSort: [{ name: 'name', direction: 'asc' }],
  distinct: 'gives',
})
export type ScimGroup = WireRow<typeof scimGroupList.fields>

const Target = exactly({
  role: orNull(Role),
  webGroupId: orNull(Type.String({ maxLength: 64 })),
})

const Effect = exactly({
  email: Type.String(),
  name: Type.String(),
  gets: Type.Array(Type.String({ examples: ['Licensing Portal Viewer', 'Web group Design'] })),
  loses: Type.Array(Type.String()),
})
export type MappingEffect = Static<typeof Effect>

export const previewGroupMapping = operation({
  ...common,
  name: 'provisioning/mapping/preview',
  refusals: ['LAST_ADMINISTRATOR'],
  summary: 'Who would get and lose what if the members of a group got this; nothing is changed',
  writes: false,
  body: requestFields({ ...scope, groupId: Id, target: Target }),
  data: Type.Array(Effect),
})

export const saveGroupMapping = operation({
  ...common,
  name: 'provisioning/mapping',
  freshSignIn: true,
  summary: 'Choose what the members of a group get: a role in the portal, a web group, or nothing',
  writes: true,
  takesTurns: true,
  refusals: ['LAST_ADMINISTRATOR'],
  audit: {
    what: 'choose what a group of the identity provider gives',
    done: ({ before, after }) =>
      `Changed what the group ${text(field(after, 'group'))} gives from ${text(field(before, 'gives'))} to ${text(field(after, 'gives'))}, for ${number(field(after, 'people'))} people`,
  },
  body: requestFields({
    ...scope,
    groupId: Id,
    target: Target,
    oldTarget: { ...Target, description: 'What it gave when the choice began' },
  }),
  data: exactly({
    people: Type.Integer({ description: 'How many got or lost something' }),
    heldBack: Type.Array(exactly({ email: Type.String(), reason: Type.String() }), {
      description: 'People for whom no seat was free. They are tried again with the next change.',
    }),
  }),
})

export const scimCallList = declareList({
  ...common,
  name: 'provisioning/calls',
  rows: 'last calls of the identity provider, the newest first unless sorted otherwise',
  scope,
  fields: {
    id: { type: 'number', schema: Type.Integer({ description: 'Rises with every call' }) },
    time: { type: 'instant' },
    method: { type: 'text', schema: Type.String({ examples: ['PATCH'] }) },
    path: { type: 'text', schema: Type.String({ examples: ['/Users/…'] }) },
    status: { type: 'number', schema: Type.Integer() },
    isFailed: { type: 'boolean' },
    reason: { type: 'text', schema: Type.String({ description: 'Why it failed' }) },
    milliseconds: { type: 'number', schema: Type.Integer() },
    by: { type: 'text', schema: Type.String({ description: 'The name of the token, or who replayed a call' }) },
  },
  key: ['id'],
  defaultSort: [{ name: 'id', direction: 'desc' }],
  distinct: 'method',
})
export type ScimCall = WireRow<typeof scimCallList.fields>

const oneCall = requestFields({ ...scope, id: Type.Integer({ minimum: 1, maximum: MAX_NUMBER, examples: [1204] }) })

const CallDetails = exactly({
  body: Type.String({ description: 'What was sent, secrets removed' }),
  answer: Type.String({ description: 'What was answered, secrets removed' }),
  isCut: Type.Boolean({ description: 'They were too long, and only their beginnings were kept' }),
})

export const getScimCall = operation({
  ...common,
  name: 'provisioning/call',
  summary: 'What was sent and answered in a call of the identity provider',
  writes: false,
  body: oneCall,
  data: CallDetails,
})

export const replayScimCall = operation({
  ...common,
  name: 'provisioning/replay',
  freshSignIn: true,
  summary: 'Do a failed call of the identity provider again, as it was sent',
  refusals: ['NOTHING_TO_DO'],
  writes: true,
  audit: named('Replayed the call', 'replay a call of the identity provider', 'after', 'call'),
  body: oneCall,
  data: exactly({
    id: Type.Integer({ description: 'Of the new call in the log' }),
    status: Type.Integer({ description: 'The HTTP status of the outcome' }),
    reason: Type.String({ description: 'Why it failed again; empty if it did not' }),
  }),
})
