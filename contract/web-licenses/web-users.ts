import { type Static, Type } from 'typebox'
import { lineResult } from '#contract/kit/answer.ts'
import { BATCH_BODY_LIMIT, operation } from '#contract/kit/operation.ts'
import { PlainLine } from '#contract/kit/plain-text.ts'
import { exactly, requestFields } from '#contract/kit/schema.ts'
import { UserEmail, webScope, webWrite } from '#contract/web-licenses/web-access.ts'
import { some } from '#domain/audit/words.ts'
import { emailsIn } from '#domain/web-licenses/audit-words.ts'
import { MAX_ENTITLEMENTS_OF_LINE, MAX_GROUPS_OF_LINE, MAX_USER_LINES } from '#domain/web-licenses/user-file.ts'

const common = { access: webWrite, writes: true } as const

const SavedUser = exactly({
  // An invalid address refuses its line, not the whole request.
  email: Type.String({ maxLength: 320 }),
  name: Type.Optional(PlainLine(300, { description: 'Empty or missing: a known user keeps the name' })),
  groups: Type.Optional(
    Type.Array(PlainLine(300), {
      maxItems: MAX_GROUPS_OF_LINE,
      description: 'Names of groups that the user joins',
    }),
  ),
  entitlements: Type.Optional(
    Type.Array(PlainLine(64), {
      maxItems: MAX_ENTITLEMENTS_OF_LINE,
      description: 'Activation ids of web entitlements that the user is assigned to',
    }),
  ),
})

const UserLine = lineResult({
  email: Type.String(),
  change: Type.Union([Type.Literal('add'), Type.Literal('update'), Type.Literal('none')], {
    description: 'What happens, or would happen, to the user; none for a refused line',
  }),
  renamedFrom: Type.Union([Type.String(), Type.Null()], { description: 'The name so far, if it changes' }),
  joins: Type.Array(Type.String(), { description: 'Groups of which the user becomes a member' }),
  assigns: Type.Array(Type.Object({ activationId: Type.String(), product: Type.String() }), {
    description: 'Entitlements that the user becomes assigned to, by name and not through a group',
  }),
})
export type SavedUserLine = Static<typeof UserLine>

export const saveWebUsers = operation({
  ...common,
  name: 'web/users/save',
  audit: {
    what: 'save web users',
    done: ({ after }) => `Saved the web users ${some(emailsIn(after))}`.trimEnd(),
  },
  token: 'activations',
  refusals: [
    'INVALID_EMAIL',
    'INVALID_NAME',
    'MANAGED_BY_SCIM',
    'DUPLICATE_USER',
    'NO_SUCH_GROUP',
    'NO_SUCH_ACTIVATION',
    'ENTITLEMENT_EXPIRED',
    'SEAT_GONE',
  ],
  summary:
    'Add and rename web users, put them into groups and assign entitlements to them. Each line is done or refused by itself. With dryRun nothing is changed, and the answer says what would happen.',
  takesTurns: true,
  bodyLimit: 4 * 1024 * 1024,
  body: requestFields({
    ...webScope,
    users: Type.Array(SavedUser, { minItems: 1, maxItems: MAX_USER_LINES }),
    dryRun: Type.Optional(Type.Boolean()),
  }),
  data: Type.Array(UserLine),
})

export const deleteWebUsers = operation({
  ...common,
  name: 'web/users/delete',
  audit: {
    what: 'delete web users',
    done: ({ before }) => `Deleted the web users ${some(emailsIn(before))}`,
  },
  token: 'activations',
  refusals: ['NO_SUCH_USER', 'MANAGED_BY_SCIM'],
  summary: 'Delete web users: their seats are free and their running checkouts end. Their past checkouts stay.',
  bodyLimit: BATCH_BODY_LIMIT,
  body: requestFields({ ...webScope, emails: Type.Array(UserEmail, { minItems: 1, maxItems: MAX_USER_LINES }) }),
  data: Type.Array(lineResult({ email: Type.String(), changed: Type.Boolean() })),
  extraFields: { endedCheckouts: Type.Integer() },
})
