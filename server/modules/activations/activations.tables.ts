import type { ColumnType, Generated, GeneratedAlways } from 'kysely'
import type { OperationName } from '#contract/operations.ts'
import type { LicenseFileReason } from '#domain/activations/license-files/license-file.ts'
import type { PlanAction, PlanRequest, PlanState } from '#domain/activations/plans/host-plan.ts'
import type { PlanStep } from '#domain/activations/plans/plan.ts'
import type { FulfillmentAction, HostIdType } from '#domain/entitlements/fulfillment.ts'
import type { AuditPrincipal } from '#server/audit/audit.tables.ts'
import type { Day, Json } from '#server/db/column-types.ts'
import type { Tables } from '#server/db/tables.ts'

/** The call that started a plan: its steps are audited as this call. */
export type PlanOrigin = {
  readonly email: string
  readonly principal: AuditPrincipal | null
  readonly address: string
  readonly requestId: string
  readonly program?: string | undefined
  /** The operation that was called. */
  readonly operation: OperationName
}

export type ActivationsRows = {
  host: {
    customer_number: string
    host_id_type: HostIdType
    host_id: string
    host_name: string
    port: Generated<number>
    is_borrowable: Generated<boolean>
    /** The id with the ids of a triad in a fixed order. */
    machine_id: GeneratedAlways<string>
    added_at: Date
    removed_at: Date | null
    changed_at: Generated<Date>
  }
  host_seats: {
    customer_number: GeneratedAlways<string>
    activation_id: GeneratedAlways<string>
    host_id_type: GeneratedAlways<HostIdType>
    host_id: GeneratedAlways<string>
    seats: GeneratedAlways<number>
  }
  /** Append-only; the database keeps `activated_count` and `host_seats` with every row. */
  fulfillment: {
    customer_number: string
    fulfillment_id: Generated<string>
    parent_fulfillment_id: ColumnType<string | null, string | null | undefined, never>
    activation_id: string
    host_id_type: HostIdType
    host_id: string
    fulfill_count: number
    action: Generated<FulfillmentAction>
    modified_by: Generated<string>
    fulfilled_at: Date
  }
  shared_server_member: {
    customer_number: string
    host_id_type: HostIdType
    machine_id: string
    group_id: string
    added_at: Date
    added_by: string
  }
  /** Append-only. */
  license_file: {
    customer_number: string
    file_id: Generated<string>
    position: GeneratedAlways<string>
    host_id_type: HostIdType
    host_id: string
    generated_at: Date
    generated_by: string
    reason: LicenseFileReason
    issued_on: Day
    own_text: string
    shared_text: string | null
    customers: string[]
    made_from: string
    first_end: Day | null
    key_id: string
  }
  signing_key: {
    key_id: string
    public_key: Buffer
    sealed_private_key: Buffer
    created_at: Date
    created_by: string
    retired_at: ColumnType<Date | null, undefined, Date>
  }
  host_plan: {
    customer_number: string
    plan_id: Generated<string>
    action: PlanAction
    state: Generated<PlanState>
    request: Json<PlanRequest>
    requested_by: string
    requested_at: Date
    requested_from: Json<PlanOrigin>
    finished_at: Date | null
    failure_code: string | null
    failure: string | null
  }
  host_plan_step: {
    customer_number: string
    plan_id: string
    position: number
    step: Json<PlanStep>
    done_at: Date | null
  }
  reserved_seats: { customer_number: string; activation_id: string; plan_id: string; seats: number }
  busy_host: { customer_number: string; host_id_type: HostIdType; machine_id: string; plan_id: string }
}

declare module '#server/db/schema.ts' {
  interface DB extends ActivationsRows {}
}

export const activationsTables: Tables<ActivationsRows> = {
  owns: [
    'host',
    'host_seats',
    'fulfillment',
    'shared_server_member',
    'license_file',
    'signing_key',
    'host_plan',
    'host_plan_step',
    'reserved_seats',
    'busy_host',
  ],
  reads: {},
}
