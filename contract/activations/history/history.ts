import { Type } from 'typebox'
import { hostFields, serverFields } from '#contract/activations/hosts/host-fields.ts'
import { declareList, FilterSchema, type ListFields, sortedFields } from '#contract/kit/list.ts'
import { LIST_BODY_LIMIT, operation } from '#contract/kit/operation.ts'
import { CustomerNumber, exactly, requestFields } from '#contract/kit/schema.ts'
import { ACTION_WORDS } from '#domain/activations/history/history-groups.ts'
import { TIMELINE_KINDS } from '#domain/activations/history/host-timeline.ts'
import { LICENSE_FILE_STATES } from '#domain/activations/license-files/license-file.ts'
import { download } from '#domain/audit/words.ts'

const read = { kind: 'account', action: 'activations.read', customerNumberIn: 'body' } as const

/** The most hosts in one request. */
export const HISTORY_BATCH = 5
/** Maximum number of entries per host, the newest ones. Older ones are in the CSV. */
export const MAX_ENTRIES = 10_000

/** An entry of the history of a host. Filters ask for hosts and groups in which some entry is as they say. */
export const HISTORY_FIELDS = {
  time: { type: 'instant' },
  modifiedby: { type: 'text' },
  action: { type: 'text', schema: Type.String({ description: 'EDIT, REHOST or DEACTIVATE' }) },
  actionword: {
    type: 'text',
    schema: Type.Enum(Object.values(ACTION_WORDS), { description: 'The action as people read it' }),
  },
  ansysproduct: { type: 'text' },
  activationid: { type: 'text' },
  count: {
    type: 'number',
    schema: Type.Integer({ description: 'Positive where seats were activated, negative where they were returned' }),
  },
  startdate: { type: 'day' },
  enddate: {
    type: 'text',
    schema: Type.String({ description: "The last day, or 'Maintenance ends on' and a day for a permanent license" }),
  },
} as const satisfies ListFields

const HistoryFilter = Type.Optional(FilterSchema)
const State = Type.Enum(['Active', 'Inactive'], {
  description: 'Active license servers hold seats, expired ones included; inactive ones once did',
})

/** The hosts of one table of the history screen. */
export const hostHistoryList = declareList({
  name: 'fulfillments/history/servers',
  rows: 'license servers with the newest entry of their history that matches `history`; servers without one are left out',
  access: read,
  token: 'activations',
  scope: { customerNumber: CustomerNumber, state: State, history: HistoryFilter },
  fields: {
    serverName: { type: 'text' },
    serverId: { type: 'text' },
    serverIdType: { type: 'text' },
    hostid: { type: 'text', schema: Type.String({ examples: ['MAC_ADDRESS=3cecef4b7d10'] }) },
    isShared: { type: 'boolean' },
    licenseFile: { type: 'text', schema: Type.Enum([...LICENSE_FILE_STATES]) },
    ...HISTORY_FIELDS,
  },
  // Ids of different types have different forms.
  key: ['serverId'],
  defaultSort: [{ name: 'serverName', direction: 'asc' }],
  distinct: 'serverName',
})

const HistoryRow = Type.Object({
  time: Type.String(),
  modifiedby: Type.String(),
  action: Type.String(),
  ansysproduct: Type.String(),
  activationid: Type.String(),
  count: Type.Integer({ description: 'The sum of the entitlement, person and action within the group' }),
  startdate: Type.String(),
  enddate: Type.String(),
})

const HostHistory = Type.Object({
  ...hostFields,
  groups: Type.Array(
    Type.Object({
      time: Type.String({ description: 'The first moment of the group' }),
      modifiedby: Type.Array(Type.String()),
      action: Type.Array(Type.String()),
      rows: Type.Array(HistoryRow),
    }),
  ),
  isComplete: Type.Boolean({
    description: `False if the license server has more than ${MAX_ENTRIES} entries; the newest are here`,
  }),
})

export const getHistory = operation({
  name: 'fulfillments/history',
  summary:
    'What happened to license servers, the newest first: entries less than 30 seconds apart are one group, in which the counts of an entitlement are summed for each person and action',
  access: read,
  token: 'activations',
  writes: false,
  bodyLimit: LIST_BODY_LIMIT,
  body: requestFields({
    customerNumber: CustomerNumber,
    hosts: Type.Array(exactly(hostFields), { minItems: 1, maxItems: HISTORY_BATCH }),
    filter: HistoryFilter,
  }),
  data: Type.Array(HostHistory),
})

/** Maximum length of the list of host ids: more than an account has hosts. */
const MAX_HOST_IDS = 200_000

export const exportServers = operation({
  name: 'fulfillments/servers/export',
  summary: 'The history of every license server that matches, as a CSV file; of all of them if no hostIds are given',
  access: read,
  token: 'activations',
  writes: false,
  audit: download('the history of license servers'),
  bodyLimit: LIST_BODY_LIMIT,
  body: requestFields({
    customerNumber: CustomerNumber,
    state: Type.Optional(State),
    hostIds: Type.Optional(
      Type.String({ maxLength: MAX_HOST_IDS, description: 'Joined by commas; a triad is named by its three ids' }),
    ),
    history: HistoryFilter,
    forceSync: Type.Optional(Type.Union([Type.Boolean(), Type.Null()], { description: 'Has no effect' })),
    ...sortedFields,
  }),
  data: Type.Unknown(),
  media: 'text/csv',
})

export const hostTimeline = operation({
  name: 'fulfillments/timeline',
  summary: 'Who activated, returned, rehosted, generated and mailed on a license server, and when; the newest first',
  access: read,
  token: 'activations',
  writes: false,
  body: requestFields({
    customerNumber: CustomerNumber,
    ...hostFields,
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, description: '200 unless said otherwise' })),
  }),
  data: Type.Array(
    Type.Object({
      time: Type.String(),
      by: Type.String(),
      kind: Type.Enum([...TIMELINE_KINDS]),
      seats: Type.Union([Type.Integer(), Type.Null()], { description: 'How many were activated or returned' }),
      entitlements: Type.Union([Type.Integer(), Type.Null()], { description: 'Of how many entitlements' }),
      otherHost: Type.Union(
        [Type.Object({ ...serverFields, isListed: Type.Boolean({ description: 'It is not deleted' }) }), Type.Null()],
        { description: 'Where the seats of a rehost went to, or came from' },
      ),
      reason: Type.Union([Type.String(), Type.Null()], { description: 'Why a return was forced' }),
      fileId: Type.Union([Type.String(), Type.Null()], {
        description: 'The license file that was generated or mailed',
      }),
      recipients: Type.Array(Type.String(), { description: 'Who got the email' }),
    }),
  ),
  extraFields: { hasEarlier: Type.Boolean({ description: 'More happened before the last one' }) },
})
