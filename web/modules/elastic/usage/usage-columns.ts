import { USAGE_COLUMNS } from '#contract/elastic/usage/usage-list.ts'
import { amountText, countText, timeText } from '#web/lib/format.ts'
import type { Usage } from '#web/modules/elastic/usage/usage.api.ts'
import { type Column, VALUES, WHOLE_VALUES } from '#web/table/columns/column.ts'
import { idColumn } from '#web/table/columns/column-kinds.ts'

type UsageColumn = (typeof USAGE_COLUMNS)[number][0]
type Look = Omit<Column<Usage>, 'id' | 'header'>

const LOOKS: Record<UsageColumn, Look> = {
  StartTime: {
    width: 172,
    kind: 'date',
    filter: 'time',
    isSticky: true,
    phone: 'second line',
    text: (row) => timeText(row.StartTime),
  },
  EndTime: { width: 172, kind: 'date', filter: 'time', text: (row) => (row.Active ? 'Active' : timeText(row.EndTime)) },
  Product: {
    width: 230,
    flexible: { min: 200, max: 360 },
    filter: VALUES,
    phone: 'first line',
    text: (row) => row.Product,
  },
  ProductCount: { width: 84, kind: 'number', filter: 'number', text: (row) => countText(row.ProductCount) },
  Hours: { width: 92, kind: 'number', filter: 'number', text: (row) => (row.Active ? '' : amountText(row.Hours)) },
  Charge: {
    width: 92,
    kind: 'number',
    currency: 'Currency',
    filter: 'number',
    phone: 'first line',
    text: (row) => amountText(row.Charge),
  },
  Currency: { width: 104, align: 'right', filter: WHOLE_VALUES, text: (row) => row.Currency },
  User: { width: 150, filter: VALUES, phone: 'second line', text: (row) => row.User },
  Host: { width: 160, filter: VALUES, text: (row) => row.Host },
  Project: { width: 160, filter: VALUES, text: (row) => row.Project ?? '' },
  DeviceID: { width: 210, kind: 'id', filter: VALUES, text: (row) => row.DeviceID },
  SessionStatus: { width: 140, filter: VALUES, text: (row) => row.SessionStatus },
  REFERER_IP_ADDRESS: { width: 140, filter: VALUES, text: (row) => row.REFERER_IP_ADDRESS ?? '' },
  productVersion: { width: 124, filter: VALUES, text: (row) => row.productVersion },
  AnsysCloudJobId: { width: 190, kind: 'id', filter: VALUES, text: (row) => row.AnsysCloudJobId ?? '' },
}

/** Elastic entitlements lead to their usage by it. It has no index to be sorted by, and is not exported. */
const BY_ENTITLEMENT: Column<Usage> = idColumn('ActivationID', 'Activation ID', 250, {
  isHidden: true,
  isSortable: false,
})

/** Which transaction a correction takes back: by its Session ID. Not exported. */
const CORRECTION_OF: Column<Usage> = idColumn('CorrectionOf', 'Correction Of', 210, { isSortable: false })

const ALL: readonly Column<Usage>[] = [
  ...USAGE_COLUMNS.map(([id, header]) => ({ id, header, ...LOOKS[id] })),
  CORRECTION_OF,
  BY_ENTITLEMENT,
]

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
