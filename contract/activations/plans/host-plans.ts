import { type Static, Type } from 'typebox'
import {
  HostPlan,
  Kept,
  PlanPreview,
  planHost,
  previewedFile,
  savedHost,
  Target,
} from '#contract/activations/plans/plan-fields.ts'
import { SeatLines } from '#contract/activations/seats/change-seats.ts'
import { BATCH_BODY_LIMIT, operation } from '#contract/kit/operation.ts'
import { CustomerNumber, requestFields } from '#contract/kit/schema.ts'
import { PREVIEWED_ACTIONS } from '#domain/activations/plans/host-plan.ts'
import { download } from '#domain/audit/words.ts'

const read = { kind: 'account', action: 'activations.read', customerNumberIn: 'body' } as const
const PlanId = Type.String({
  pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$',
  examples: ['6f1f6a52-2f0c-4a53-9c0e-6b1d7f6f8f11'],
})

const PreviewedFile = Type.Object(previewedFile)

export const previewPlan = operation({
  name: 'fulfillments/plans/preview',
  summary:
    'What a rehost, deactivation, renewal or forced return would return and create, and the license files afterwards. Nothing is stored',
  access: { kind: 'account', action: 'activations.write', customerNumberIn: 'body' },
  token: 'activations',
  writes: false,
  refusals: [
    'REHOSTING_OFF',
    'HOST_BUSY',
    'HOST_NOT_ACTIVE',
    'HOST_ACTIVE',
    'HOST_IN_USE',
    'SHARED_ELSEWHERE',
    'NOTHING_TO_DO',
    'NOT_IN_CATALOG',
  ],
  bodyLimit: BATCH_BODY_LIMIT,
  body: requestFields({
    customerNumber: CustomerNumber,
    action: Type.Enum([...PREVIEWED_ACTIONS], { examples: ['DEACTIVATE'] }),
    hostId: Type.Optional(planHost.hostId),
    hostIdType: Type.Optional(planHost.hostIdType),
    target: Type.Optional(Target),
    kept: Kept,
  }),
  data: PlanPreview,
})

export const previewSave = operation({
  name: 'fulfillments/preview',
  summary:
    'The license file as it would be after a save, without signatures, and its difference to the last one. Nothing is stored',
  access: { kind: 'accounts', action: 'activations.write', customerNumbersIn: 'customers[].customerNumber' },
  token: 'activations',
  writes: false,
  refusals: ['NO_SUCH_FULFILLMENT', 'NO_LICENSES', 'NOT_IN_CATALOG', 'EXPORT_DENIED'],
  bodyLimit: BATCH_BODY_LIMIT,
  body: requestFields(savedHost),
  // A refusal of single elements answers their lines instead of the file.
  data: Type.Unsafe<Static<typeof PreviewedFile>>(Type.Union([PreviewedFile, SeatLines])),
})

export const getPlan = operation({
  name: 'fulfillments/plan',
  summary: 'How far a plan is',
  access: read,
  token: 'activations',
  writes: false,
  takesTurns: false,
  reportsWork: true,
  body: requestFields({ customerNumber: CustomerNumber, id: PlanId }),
  data: HostPlan,
})

export const getPlanFiles = operation({
  name: 'fulfillments/plan/files',
  summary: 'The license files of all license servers for which the plan has generated one, in one zip file',
  access: read,
  token: 'activations',
  writes: false,
  audit: download('license files'),
  refusals: ['NO_LICENSE_FILE'],
  body: requestFields({ customerNumber: CustomerNumber, id: PlanId }),
  data: Type.Unknown(),
  media: 'application/zip',
})

export const planFilesName = (customerNumber: string): string => `licenses_${customerNumber}.zip`

export const listPlans = operation({
  name: 'fulfillments/plans',
  summary: 'Plans of the account: those that are not finished, and the last ones that are; the newest first',
  access: read,
  token: 'activations',
  writes: false,
  body: requestFields({ customerNumber: CustomerNumber }),
  data: Type.Array(HostPlan),
})
