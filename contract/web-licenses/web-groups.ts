import { Type } from 'typebox'
import { lineResult } from '#contract/kit/answer.ts'
import { BATCH_BODY_LIMIT, operation } from '#contract/kit/operation.ts'
import { PlainLine } from '#contract/kit/plain-text.ts'
import { requestFields } from '#contract/kit/schema.ts'
import { GroupId, UserEmail, webScope, webWrite } from '#contract/web-licenses/web-access.ts'
import { difference, field, named, text, texts } from '#domain/audit/words.ts'

const common = { access: webWrite, writes: true } as const
const Name = PlainLine(300, { examples: ['Design'] })
const Group = Type.Object({ groupId: Type.String(), name: Type.String() })
const MAX_MEMBERS = 5_000

export const createWebGroup = operation({
  ...common,
  name: 'web/groups/create',
  audit: named('Created the group', 'create a group', 'after'),
  token: 'activations',
  refusals: ['INVALID_NAME', 'NAME_TAKEN'],
  summary: 'Create a group of web users. FAILURE with NAME_TAKEN if the account has a group of this name.',
  body: requestFields({ ...webScope, name: Name }),
  data: Group,
})

export const renameWebGroup = operation({
  ...common,
  name: 'web/groups/rename',
  audit: {
    what: 'rename a group',
    done: ({ before, after }) => `Renamed the group ${text(field(before, 'name'))} to ${text(field(after, 'name'))}`,
  },
  token: 'activations',
  refusals: ['INVALID_NAME', 'NAME_TAKEN'],
  summary: 'Rename a group of web users',
  body: requestFields({ ...webScope, groupId: GroupId, name: Name }),
  data: Group,
})

export const deleteWebGroup = operation({
  ...common,
  name: 'web/groups/delete',
  audit: named('Deleted the group', 'delete a group', 'before'),
  token: 'activations',
  refusals: ['MANAGED_BY_SCIM'],
  summary: 'Delete a group: its members stay users and lose what was assigned through the group',
  body: requestFields({ ...webScope, groupId: GroupId }),
  data: Type.Null(),
  extraFields: { endedCheckouts: Type.Integer() },
})

export const changeWebGroupMembers = operation({
  ...common,
  name: 'web/groups/members',
  audit: {
    what: 'change the members of a group',
    done: ({ target, before, after }) =>
      `Changed the members of the group ${text(field(after, 'name')) || target}${difference(texts(field(before, 'removed')), texts(field(after, 'added')))}`,
  },
  token: 'activations',
  refusals: ['NO_SUCH_USER', 'MANAGED_BY_SCIM', 'SEAT_GONE'],
  summary:
    'Add users to a group and remove users from it. Each added user needs a free seat of every Named User entitlement of the group.',
  bodyLimit: BATCH_BODY_LIMIT,
  body: requestFields({
    ...webScope,
    groupId: GroupId,
    add: Type.Optional(Type.Array(UserEmail, { maxItems: MAX_MEMBERS, examples: [['ann.lee@company.com']] })),
    remove: Type.Optional(Type.Array(UserEmail, { maxItems: MAX_MEMBERS })),
  }),
  data: Type.Array(lineResult({ email: Type.String(), changed: Type.Boolean() })),
  extraFields: { endedCheckouts: Type.Integer() },
})
