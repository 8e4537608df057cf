import type { activeEntitlementList, inactiveEntitlementList } from '#contract/entitlements/entitlement-list.ts'
import { type LeaseRow, leaseRow } from '#contract/entitlements/lease-row.ts'
import { type Activity, entitlementScope, entitlementSource } from '#server/modules/entitlements/entitlement.list.ts'
import { loadActivatedCounts } from '#server/modules/entitlements/entitlements.queries.ts'
import { type CsvCells, csvListAnswer } from '#server/operations/file-answer.ts'
import type { Call, SentFile } from '#server/operations/route.ts'

const HEADER = [
  'Entitlement',
  'Activation ID',
  'License Model',
  'Count',
  'Start Date',
  'Expiration Date',
  'Remaining Days',
  'Total Activated',
  'Evaluation',
]

const lineOf = (row: LeaseRow): CsvCells => [
  row.ansysproduct,
  row.activationid,
  row.ansyslicensemodel,
  row.ansyscount,
  row.startdate,
  row.enddate,
  row.remainingdays,
  row.ansysactivated,
  row.isEval ? 'Yes' : '',
]

export function exportLeases(
  activity: Activity,
  call: Call<typeof activeEntitlementList.exportCsv | typeof inactiveEntitlementList.exportCsv>,
): Promise<SentFile> {
  const { customerNumber } = call.body
  const scope = entitlementScope(call, activity)
  const { today } = scope
  return csvListAnswer(call, `${activity}-entitlements-${customerNumber}-${today}.csv`, {
    source: entitlementSource,
    scope,
    header: HEADER,
    async linesOf(rows) {
      const ids = rows.map((row) => row.ActivationId)
      const onHosts = await loadActivatedCounts(call.db, customerNumber, ids)
      return rows.map((row) => lineOf(leaseRow(row, today, onHosts[row.ActivationId])))
    },
  })
}
