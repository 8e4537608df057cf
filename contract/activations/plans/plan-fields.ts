import { type Static, Type } from 'typebox'
import { hostFields, serverFields } from '#contract/activations/hosts/host-fields.ts'
import { Difference, LicenseFile, LicenseFileName } from '#contract/activations/license-files/license-files.ts'
import { FailureCode } from '#contract/kit/failure-code.ts'
import { PlainLines } from '#contract/kit/plain-text.ts'
import { CustomerNumber, exactly } from '#contract/kit/schema.ts'
import { PLAN_ACTIONS, PLAN_STATES, PREVIEWED_ACTIONS } from '#domain/activations/plans/host-plan.ts'

/** Maximum number of unticked rows: more than any host holds, and more than anybody unticks by hand. */
const MAX_KEPT = 5000

const machine = {
  ...serverFields,
  portNumber: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 65_535, description: 'Of a new license server; 1055 if absent' }),
  ),
}

export const Target = exactly(machine)

export const Kept = Type.Optional(
  Type.Array(
    exactly({
      customerNumber: CustomerNumber,
      id: Type.String({ minLength: 1, maxLength: 64, description: 'The activation whose seats stay' }),
      hostId: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 200,
          description: 'On this license server alone; renewals can be on several',
        }),
      ),
    }),
    { maxItems: MAX_KEPT, description: 'Unticked rows of the confirmation: their seats stay where they are' },
  ),
)

/** Ties a request to the preview that somebody has confirmed. */
export const Basis = Type.Optional(
  Type.String({
    maxLength: 100,
    description: 'From the preview. If the changes would be others by now, the call is refused with 409',
  }),
)

export const Reason = PlainLines(1000, {
  isRequired: true,
  description: 'Why the seats are taken back; it is kept with the plan and in the audit log',
})

const ActivationId = Type.String({ minLength: 1, maxLength: 64 })

/** Maximum number of elements per customer: more than can be chosen on one host. */
const MAX_ELEMENTS = 5000

/**
 * The seats that one customer is to have on a host, in absolute numbers. Seats that are there already are not activated
 * again.
 */
const WantedSeats = exactly({
  customerNumber: CustomerNumber,
  basis: Type.Optional(
    Type.String({
      maxLength: 100,
      description:
        'From `fulfillments/entitlements`. If the seats of the customer on the license server, or who shares it, have changed since, a save is refused with 409 and both versions',
    }),
  ),
  returned: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
      maxItems: MAX_ELEMENTS,
      description: 'Fulfillments on the license server whose seats are returned',
    }),
  ),
  wanted: Type.Array(
    exactly({
      id: ActivationId,
      seats: Type.Integer({
        minimum: 1,
        maximum: 1_000_000_000,
        description:
          'Seats of this activation on the license server afterwards, those of returned fulfillments not counted',
      }),
    }),
    { maxItems: MAX_ELEMENTS, description: 'Activations that get seats; others stay as they are' },
  ),
})

/** What a host is to hold after a save. */
export const savedHost = {
  ...machine,
  ansysborrowed: Type.Optional(
    Type.Boolean({ description: 'Whether licenses of the license server can be borrowed; unchanged if absent' }),
  ),
  customers: Type.Array(WantedSeats, {
    minItems: 1,
    maxItems: 100,
    description: 'Everybody who shares the license server afterwards; the first is the one whose plan it is',
  }),
}

/** The host that a plan is about. */
export const planHost = hostFields

const Server = Type.Object({
  serverName: Type.String(),
  serverId: Type.String({ description: 'Three ids joined by commas for a triad' }),
  serverIdType: Type.String(),
})

/** A row of the confirmation. The names are those of `SeatChange`. */
const PlannedChange = Type.Object({
  kind: Type.Enum(['deactivate', 'activate']),
  customerNumber: Type.String(),
  customerName: Type.String(),
  server: Server,
  activationid: Type.String(),
  ansysproduct: Type.String(),
  startdate: Type.String(),
  enddate: Type.String(),
  count: Type.Integer({ description: 'Seats' }),
  isMaintenanceExpired: Type.Boolean({ description: 'Has to be unticked, unless the caller may override it' }),
  isTicked: Type.Boolean(),
  replaces: Type.Optional(
    Type.String({ description: 'Of a renewal: the activation whose seats it takes over, which is the id to keep' }),
  ),
})

/** Seats on a host that end within 90 days. */
const Ending = Type.Object({
  server: Server,
  activationid: Type.String(),
  ansysproduct: Type.String(),
  enddate: Type.String(),
  count: Type.Integer({ description: 'Seats' }),
  unrenewed: Type.Integer({ description: 'Seats for which no available entitlement of the same product is left' }),
})

/** A license file as it would be afterwards, and its difference to the last one. */
export const previewedFile = {
  licenseText: Type.String({ description: 'Without valid signatures; empty if nothing is left to license' }),
  licenseFileName: LicenseFileName,
  difference: Difference,
  before: Type.Union([LicenseFile, Type.Null()], { description: 'The last file, with which it was compared' }),
}
const PlannedFile = Type.Object({ customerNumber: Type.String(), server: Server, ...previewedFile })

/** A version of a license server in the 409 of a save. */
export type HeldVersion = {
  /** Who shares it; the customer alone if nobody does. */
  readonly sharedBy: readonly string[]
  /** The customers of the save. */
  readonly customers: readonly {
    readonly customerNumber: string
    readonly seats: readonly { readonly id: string; readonly ansysproduct: string; readonly seats: number }[]
    /** Of the current version: to save over it. */
    readonly basis?: string
  }[]
}

export const PlanPreview = Type.Object({
  action: Type.Enum([...PREVIEWED_ACTIONS]),
  basis: Type.String({ description: 'To be sent with the request, so that it does what was confirmed' }),
  changes: Type.Array(PlannedChange),
  endings: Type.Array(Ending, { description: 'Of a renewal: what ends soon and needs a renewal; empty otherwise' }),
  source: Type.Union([Server, Type.Null()], { description: 'Null for a renewal on all license servers' }),
  target: Type.Union([Server, Type.Null()]),
  becomesInactive: Type.Boolean({ description: 'Nothing stays on the license server that is left' }),
  leavingMembers: Type.Array(
    Type.Object({
      customerNumber: Type.String(),
      customerName: Type.Union([Type.String(), Type.Null()], {
        description: 'Null for a customer that the caller does not see',
      }),
    }),
    {
      description:
        'Of a rehost: customers that share the source and will not share the target. Their seats stay where they are',
    },
  ),
  mayOverrideMaintenance: Type.Boolean({ description: 'The caller need not untick what has expired maintenance' }),
  files: Type.Array(PlannedFile),
  filesLeftOut: Type.Integer({ description: 'How many more license servers would get a new license file' }),
})
export type PlanPreview = Static<typeof PlanPreview>

const Share = (description: string) => Type.Object({ done: Type.Integer(), total: Type.Integer() }, { description })

export const HostPlan = Type.Object({
  id: Type.String(),
  action: Type.Enum([...PLAN_ACTIONS]),
  state: Type.Enum([...PLAN_STATES]),
  text: Type.String({ description: 'What is being done now, for example Rehosting from...' }),
  step: Type.Union([Type.String(), Type.Null()], {
    description: 'The kind of the first step that is not done: what runs now, or where the plan stopped',
  }),
  done: Type.Integer({ description: 'Steps that are done' }),
  total: Type.Integer(),
  amounts: Type.Object(
    { returned: Share('Seats'), activated: Share('Seats'), files: Share('License files') },
    { description: 'What the steps do, and how much of it is done' },
  ),
  source: Type.Union([Server, Type.Null()]),
  target: Type.Union([Server, Type.Null()]),
  requestedBy: Type.String(),
  requestedAt: Type.String(),
  finishedAt: Type.Union([Type.String(), Type.Null()]),
  changes: Type.Optional(
    Type.Array(
      Type.Object({
        kind: Type.Enum(['deactivate', 'activate']),
        customerNumber: Type.String(),
        serverId: Type.String(),
        activationid: Type.String(),
        count: Type.Integer({ description: 'Seats' }),
      }),
      { description: 'What was done. Only `fulfillments/plan` answers it, once the plan has ended' },
    ),
  ),
  serverIds: Type.Array(Type.String(), { description: 'License servers that the steps are about' }),
  licensed: Type.Array(Type.String(), { description: 'Customers whose license files are generated, in their order' }),
  mailedTo: Type.Array(Type.String(), { description: 'Who was sent the license file of a save' }),
  failure: Type.Union([Type.Object({ code: FailureCode, err: Type.String() }), Type.Null()]),
})
export type HostPlan = Static<typeof HostPlan>
