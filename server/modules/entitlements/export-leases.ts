import type { activeEntitlementList, inactiveEntitlementList } from '#contract/entitlements/entitlement-list.ts'
import { type LeaseRow, leaseRow } from '#contract/entitlements/lease-row.ts'
import { MAX_FETCH_ALL } from '#contract/kit/list.ts'
import { tooManyRows } from '#server/lists/list-limits.ts'
import { type Activity, entitlementScope, entitlementSource } from '#server/modules/entitlements/entitlement.list.ts'
import { loadActivatedCounts } from '#server/modules/entitlements/entitlements.queries.ts'
import { type CsvCells, csvAnswer } from '#server/operations/file-answer.ts'
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

/** Everything that matches, in the columns and words of the screen. */
export async function exportLeases(
  activity: Activity,
  call: Call<typeof activeEntitlementList.exportCsv | typeof inactiveEntitlementList.exportCsv>,
): Promise<SentFile> {
  const { body, db, later } = call
  const { lists } = call.services
  const scope = entitlementScope(call, activity)
  const { today } = scope
  if ((await lists.count(db, entitlementSource, scope, body)) > MAX_FETCH_ALL) throw tooManyRows()
  return csvAnswer(call, `${activity}-entitlements-${body.customerNumber}-${today}.csv`, HEADER, lines())

  async function* lines() {
    for await (const rows of lists.rows(db, entitlementSource, scope, body, { later })) {
      const ids = rows.map((row) => row.ActivationId)
      const onHosts = await loadActivatedCounts(db, body.customerNumber, ids)
      yield rows.map((row) => lineOf(leaseRow(row, today, onHosts[row.ActivationId])))
    }
  }
}
