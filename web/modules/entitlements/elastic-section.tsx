import { useQuery } from '@tanstack/react-query'
import { useCallback } from 'react'
import {
  ELASTIC_ROW_FIELDS,
  type ElasticEntitlement,
  type ElasticRow,
  elasticRow,
} from '#contract/elastic/balances/elastic-row.ts'
import type { RunOutForecast } from '#contract/elastic/balances/run-out-forecast.ts'
import { LAST_TO_END_FIRST } from '#contract/entitlements/balance-row.ts'
import { useKnownCustomer } from '#web/lib/customer.tsx'
import { elasticQuery, fetchElasticCsv } from '#web/modules/entitlements/elastic.api.ts'
import { ELASTIC_COLUMNS } from '#web/modules/entitlements/elastic-columns.tsx'
import { ElasticDetail } from '#web/modules/entitlements/elastic-detail.tsx'
import { DataTable } from '#web/table/data-table.tsx'
import { loadedSource } from '#web/table/list/use-loaded-list.ts'
import { useTable } from '#web/table/use-table.ts'
import { CsvExport } from '#web/ui/csv-export.tsx'
import { entitlementQuestion } from '#web/ui/entitlement/entitlement-question.ts'
import { runOutQuery } from '#web/ui/entitlement/run-out.api.ts'

const SORTING = LAST_TO_END_FIRST.map(({ name, direction }) => ({ column: name, direction }))

const TEXTS = {
  active: {
    title: 'Active Entitlements',
    tableName: 'activeEntitlements',
    what: 'active entitlements',
    noRows: 'This account has no active elastic entitlements.',
  },
  inactive: {
    title: 'Inactive Entitlements',
    tableName: 'inActiveEntitlements',
    what: 'inactive entitlements',
    noRows: 'No expired, used-up or upcoming entitlements.',
  },
} as const

/** One of the two tables of elastic units. */
export function ElasticSection({ activity }: { activity: 'active' | 'inactive' }) {
  const { number, info } = useKnownCustomer()
  const { tableName, ...texts } = TEXTS[activity]
  const { data: runOuts } = useQuery({ ...runOutQuery(number), select: byActivationId })
  const select = useCallback(
    (all: readonly ElasticEntitlement[]) =>
      all
        .map((one) => elasticRow(one, info.today, runOuts?.get(one.ActivationId)))
        .filter((row) => row.isActive === (activity === 'active')),
    [activity, info.today, runOuts],
  )
  const query = useQuery({ ...elasticQuery(number), select })
  const table = useTable({
    tableName,
    urlPrefix: `${activity}.`,
    columns: ELASTIC_COLUMNS,
    rowKey,
    source: loadedSource(['elastic-rows', number, activity], ELASTIC_ROW_FIELDS, query),
    sorting: SORTING,
    naturalSorting: SORTING,
    toQuestion: (view) => entitlementQuestion(view, { idField: 'activationid', today: info.today }),
  })
  return (
    <DataTable
      table={table}
      {...texts}
      isTwoLine
      isDense
      rowName={rowName}
      detail={detailOf}
      actions={
        <CsvExport
          fetchCsv={() => fetchElasticCsv(number, activity === 'active', table.request)}
          fileName={`${activity}-elastic-entitlements-${number}-${info.today}.csv`}
          total={table.list.total}
        />
      }
    />
  )
}

const byActivationId = ({ balances }: RunOutForecast) =>
  new Map(balances.map(({ activationId, windows }) => [activationId, windows]))

const rowKey = (row: ElasticRow) => row.activationid
const rowName = (row: ElasticRow) => `${row.ansysproduct} ${row.activationid}`
const detailOf = (row: ElasticRow) => <ElasticDetail row={row} />
