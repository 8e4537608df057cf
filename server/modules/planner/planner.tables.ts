import type { ColumnType } from 'kysely'
import type { SavedPlan } from '#contract/planner/planner.ts'
import type { Day, Json } from '#server/db/column-types.ts'
import type { Tables } from '#server/db/tables.ts'

export type PlannerRows = {
  renewal_plan: {
    customer_number: string
    plan_id: string
    name: string
    measured_from: Day
    measured_to: Day
    ends_from: Day | null
    ends_by: Day | null
    lines: Json<SavedPlan['lines']>
    saved_by: string
    saved_at: Date
    revision: ColumnType<number, number | undefined, number>
  }
}

declare module '#server/db/schema.ts' {
  interface DB extends PlannerRows {}
}

export const plannerTables: Tables<PlannerRows> = {
  owns: ['renewal_plan'],
  reads: { entitlement: 'The rate table of the elastic units that the account has.' },
}
