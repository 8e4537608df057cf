import { USAGE_COLUMNS, usageList } from '#contract/elastic/usage/usage-list.ts'
import { amountText, timeText } from '#web/lib/format.ts'
import type { Usage } from '#web/modules/elastic/usage/usage.api.ts'
import { type Column, WHOLE_VALUES } from '#web/table/columns/column.ts'
import { idColumn } from '#web/table/columns/column-kinds.ts'
import { listColumns } from '#web/table/columns/list-columns.ts'

const DECLARED = listColumns<Usage, (typeof USAGE_COLUMNS)[number][0]>(usageList, USAGE_COLUMNS, {
  StartTime: { isSticky: true, phone: 'second line' },
  EndTime: { text: (row) => (row.Active ? 'Active' : timeText(row.EndTime)) },
  Product: { width: 230, flexible: { min: 216 }, phone: 'first line' },
  ProductCount: { width: 66 },
  Hours: { width: 80, text: (row) => (row.Active ? '' : amountText(row.Hours)) },
  Charge: { width: 80, currency: 'Currency', phone: 'first line' },
  Currency: { width: 88, align: 'right', filter: WHOLE_VALUES },
  User: { width: 136, phone: 'second line' },
  Host: { width: 120 },
  Project: { width: 140 },
  DeviceID: { width: 144, kind: 'id' },
  SessionStatus: { width: 140 },
  REFERER_IP_ADDRESS: { width: 140 },
  productVersion: { width: 124 },
  AnsysCloudJobId: { width: 144, kind: 'id' },
})

/** Elastic entitlements lead to their usage by it. It has no index to be sorted by, and is not exported. */
const BY_ENTITLEMENT: Column<Usage> = idColumn('ActivationID', 'Activation ID', 144, {
  isHidden: true,
  isSortable: false,
})

/** Which transaction a correction takes back: by its Session ID. Not exported. */
const CORRECTION_OF: Column<Usage> = idColumn('CorrectionOf', 'Correction Of', 144, { isSortable: false })

const ALL: readonly Column<Usage>[] = [...DECLARED, CORRECTION_OF, BY_ENTITLEMENT]

/** Columns that only accounts with such usage have; views remember them all the same. */
export type RareUsage = { hasCloudJobs: boolean; hasCorrections: boolean }

const columnsWith = ({ hasCloudJobs, hasCorrections }: RareUsage) =>
  ALL.map((column) => {
    const isAbsent =
      (column.id === 'AnsysCloudJobId' && !hasCloudJobs) || (column.id === CORRECTION_OF.id && !hasCorrections)
    return isAbsent ? { ...column, isAbsent } : column
  })
const COLUMNS = [false, true].map((hasCloudJobs) =>
  [false, true].map((hasCorrections) => columnsWith({ hasCloudJobs, hasCorrections })),
)

/** One constant array per answer, because a new array would render the table again. */
export function usageColumns({ hasCloudJobs, hasCorrections }: RareUsage): readonly Column<Usage>[] {
  return COLUMNS[Number(hasCloudJobs)]?.[Number(hasCorrections)] ?? ALL
}
