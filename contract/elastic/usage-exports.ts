import { type Static, Type } from 'typebox'
import { usageScope } from '#contract/elastic/usage-list.ts'
import { exportBody } from '#contract/kit/list.ts'
import { operation } from '#contract/kit/operation.ts'
import { CustomerNumber, exactly } from '#contract/kit/schema.ts'

/** A background export of everything that matches. The file is kept for 7 days. */
export const UsageExport = Type.Object({
  id: Type.String({ format: 'uuid' }),
  state: Type.Union([
    Type.Literal('waiting'),
    Type.Literal('running'),
    Type.Literal('ready'),
    Type.Literal('failed'),
    Type.Literal('expired'),
  ]),
  fileName: Type.String(),
  /** How many transactions matched when it began; null before that. */
  total: Type.Union([Type.Integer(), Type.Null()]),
  written: Type.Integer(),
  bytes: Type.Integer(),
  requestedAt: Type.String({ format: 'date-time' }),
  finishedAt: Type.Union([Type.String({ format: 'date-time' }), Type.Null()]),
  /** Until when the file can be downloaded; null before it is ready. */
  keptUntil: Type.Union([Type.String({ format: 'date-time' }), Type.Null()]),
  /** Why it failed, in words for the person who asked for it; null if it did not fail. */
  failure: Type.Union([Type.String(), Type.Null()]),
})
export type UsageExport = Static<typeof UsageExport>

const oneExport = {
  params: exactly({ id: Type.String({ format: 'uuid' }) }),
  query: exactly({ customerNumber: CustomerNumber }),
}
const access = { kind: 'account', action: 'elastic.read', customerNumberIn: 'query' } as const

export const startUsageExport = operation({
  name: 'fetchUsage/exports/start',
  method: 'POST',
  path: '/api/fetchUsage/exports',
  summary:
    'Begin a background export of everything that matches, or answer the same export if the caller has it already: waiting, running, or ready with no usage received since',
  module: 'elastic',
  access: { kind: 'account', action: 'elastic.read', customerNumberIn: 'body' },
  writes: true,
  body: exportBody(usageScope),
  data: UsageExport,
  beside: { reused: Type.Boolean({ description: 'The export was there already; nothing was begun' }) },
})

export const listUsageExports = operation({
  name: 'fetchUsage/exports',
  method: 'GET',
  path: '/api/fetchUsage/exports',
  summary: 'The caller’s background exports of an account, the newest first',
  module: 'elastic',
  access,
  writes: false,
  query: oneExport.query,
  data: Type.Array(UsageExport),
})

export const getUsageExport = operation({
  name: 'fetchUsage/exports/status',
  method: 'GET',
  path: '/api/fetchUsage/exports/:id',
  summary: 'How far a background export is',
  module: 'elastic',
  access,
  writes: false,
  background: true,
  ...oneExport,
  data: UsageExport,
})

export const downloadUsageExport = operation({
  name: 'fetchUsage/exports/file',
  method: 'GET',
  path: '/api/fetchUsage/exports/:id/file',
  summary: 'The finished file of a background export',
  module: 'elastic',
  access,
  writes: false,
  ...oneExport,
  data: Type.Unknown(),
  media: 'text/csv',
})

export const deleteUsageExport = operation({
  name: 'fetchUsage/exports/delete',
  method: 'DELETE',
  path: '/api/fetchUsage/exports/:id',
  summary: 'Delete a background export and its file; one that is still being made is stopped',
  module: 'elastic',
  access,
  writes: true,
  ...oneExport,
  data: Type.Null(),
})
