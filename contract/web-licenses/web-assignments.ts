import { type Static, Type } from 'typebox'
import { lineResult } from '#contract/kit/answer.ts'
import { BATCH_BODY_LIMIT, operation } from '#contract/kit/operation.ts'
import { requestFields } from '#contract/kit/schema.ts'
import { ActivationId, GroupId, UserEmail, webScope, webWrite } from '#contract/web-licenses/web-access.ts'
import { elements, field, some } from '#domain/audit/words.ts'
import { assigned, emailsIn } from '#domain/web-licenses/audit-words.ts'

/** Maximum number of pairs in one call: every entitlement with every user and group. */
export const MAX_ASSIGNMENT_LINES = 5_000

const AssignmentLine = lineResult({
  activationId: Type.String(),
  email: Type.Optional(Type.String()),
  groupId: Type.Optional(Type.String()),
  changed: Type.Boolean({ description: 'False if it was assigned already, or if the line was refused' }),
})
export type AssignmentLine = Static<typeof AssignmentLine>

const common = {
  access: webWrite,
  writes: true,
  bodyLimit: BATCH_BODY_LIMIT,
  body: requestFields({
    ...webScope,
    activationIds: Type.Array(ActivationId, { minItems: 1, maxItems: 500 }),
    emails: Type.Optional(
      Type.Array(UserEmail, { maxItems: MAX_ASSIGNMENT_LINES, examples: [['ann.lee@company.com']] }),
    ),
    groupIds: Type.Optional(Type.Array(GroupId, { maxItems: 500 })),
  }),
  data: Type.Array(AssignmentLine),
} as const

export const assignWebLicenses = operation({
  ...common,
  name: 'web/assign',
  audit: {
    what: 'assign web licenses',
    done: ({ before, after }) => {
      const { holders, products } = assigned(elements(Array.isArray(after) ? after : field(after, 'assigned')))
      const from = emailsIn(before)
      return `Assigned ${products} to ${holders}${from.length > 0 ? ` instead of ${some(from)}` : ''}`
    },
  },
  token: 'activations',
  refusals: [
    'NO_SUCH_USER',
    'NO_SUCH_GROUP',
    'NO_SUCH_ACTIVATION',
    'SEAT_GONE',
    'ENTITLEMENT_EXPIRED',
    'NOT_ASSIGNED',
    'ASSIGNED_BY_GROUP',
  ],
  summary:
    'Assign every named entitlement to every named user and group. Each line is done or refused by itself; FAILURE only if all are refused. With insteadOf, a seat moves from one user to another, or nothing is changed.',
  body: requestFields({
    ...common.body.properties,
    insteadOf: Type.Optional({
      ...UserEmail,
      // The example assigns, it does not move.
      examples: [],
      description:
        'A user who is assigned to the entitlement by name and loses it; checkouts that run on the seat end at once. Only with one entitlement and one user',
    }),
  }),
})

export const unassignWebLicenses = operation({
  ...common,
  name: 'web/unassign',
  audit: {
    what: 'take web licenses back',
    done: ({ before }) => {
      const { holders, products } = assigned(elements(before))
      return `Took ${products} back from ${holders}`
    },
  },
  token: 'activations',
  refusals: ['NO_SUCH_USER', 'NO_SUCH_GROUP', 'NO_SUCH_ACTIVATION', 'NOT_ASSIGNED', 'ASSIGNED_BY_GROUP'],
  summary:
    'Take assignments back. Running checkouts of users who are then no longer assigned end at once. Each line is done or refused by itself, with NOT_ASSIGNED where nothing was assigned; FAILURE only if all are refused.',
  extraFields: {
    unassigned: Type.Integer({ description: 'How many assignments were taken back' }),
    endedCheckouts: Type.Integer(),
  },
})
