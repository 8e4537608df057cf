import { USAGE_COLUMNS } from '#contract/elastic/usage-list.ts'
import { amountText, countText } from '#web/lib/figures.ts'
import { timeText } from '#web/lib/time-text.ts'
import type { Usage } from '#web/modules/elastic/usage.api.ts'
import { CONTAINS_OR_EQUALS, type Column, EQUALS_ONLY } from '#web/ui/grid/model/column.ts'

type UsageColumn = (typeof USAGE_COLUMNS)[number][0]
type Look = Omit<Column<Usage>, 'id' | 'header'>

const text = { kind: 'text', methods: CONTAINS_OR_EQUALS, hasValues: true } as const
const number = { kind: 'number' } as const
const time = { kind: 'time' } as const

const LOOKS: Record<UsageColumn, Look> = {
  StartTime: { width: 190, filter: time, isSticky: true, text: (row) => timeText(row.StartTime) },
  EndTime: { width: 190, filter: time, text: (row) => (row.Active ? '' : timeText(row.EndTime)) },
  Product: { width: 230, filter: text, text: (row) => row.Product },
  ProductCount: { width: 90, align: 'right', filter: number, text: (row) => countText(row.ProductCount) },
  Hours: { width: 96, align: 'right', filter: number, text: (row) => (row.Active ? '' : amountText(row.Hours)) },
  Charge: { width: 100, align: 'right', filter: number, text: (row) => amountText(row.Charge) },
  Currency: {
    width: 104,
    align: 'right',
    filter: { kind: 'text', methods: EQUALS_ONLY, hasValues: true },
    text: (row) => row.Currency,
  },
  User: { width: 150, filter: text, text: (row) => row.User },
  Host: { width: 160, filter: text, text: (row) => row.Host },
  Project: { width: 160, filter: text, text: (row) => row.Project ?? '' },
  DeviceID: { width: 210, face: 'id', filter: text, text: (row) => row.DeviceID },
  SessionStatus: { width: 140, filter: text, text: (row) => row.SessionStatus },
  REFERER_IP_ADDRESS: { width: 140, filter: text, text: (row) => row.REFERER_IP_ADDRESS ?? '' },
  productVersion: { width: 124, filter: text, text: (row) => row.productVersion },
  AnsysCloudJobId: { width: 190, face: 'id', filter: text, text: (row) => row.AnsysCloudJobId ?? '' },
}

const ALL: readonly Column<Usage>[] = USAGE_COLUMNS.map(([id, header]) => ({ id, header, ...LOOKS[id] }))
const WITHOUT_CLOUD_JOBS = ALL.filter((column) => column.id !== 'AnsysCloudJobId')

/** The cloud job id is there only for accounts that have ever had a cloud job. */
export function usageColumns(hasCloudJobs: boolean): readonly Column<Usage>[] {
  return hasCloudJobs ? ALL : WITHOUT_CLOUD_JOBS
}
