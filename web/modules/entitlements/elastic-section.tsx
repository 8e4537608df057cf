import { useQuery } from '@tanstack/react-query'
import { useCallback } from 'react'
import {
  ELASTIC_DEFAULT_SORT,
  ELASTIC_ROW_FIELDS,
  type ElasticEntitlement,
  type ElasticRow,
  elasticRow,
  elasticSorting,
} from '#contract/elastic/elastic-row.ts'
import type { CalendarDay } from '#domain/calendar/calendar-day.ts'
import { useKnownCustomer } from '#web/lib/customer.tsx'
import { elasticQuery, fetchElasticCsv } from '#web/modules/entitlements/elastic.api.ts'
import { ELASTIC_COLUMNS } from '#web/modules/entitlements/elastic-columns.tsx'
import { ElasticDetail } from '#web/modules/entitlements/elastic-detail.tsx'
import { remainingElements } from '#web/modules/entitlements/remaining-filter.ts'
import { DataTable } from '#web/table/data-table.tsx'
import type { ColumnFilters } from '#web/table/filters/column-filter.ts'
import { criteriaOf, type FilterElement } from '#web/table/filters/filter-criteria.ts'
import { loadedSource } from '#web/table/list/use-loaded-list.ts'
import type { Question } from '#web/table/list/use-request.ts'
import { useTable } from '#web/table/use-table.ts'
import type { TableView } from '#web/table/view/table-view.ts'
import { CsvExport } from '#web/ui/csv-export.tsx'

const SORTING = ELASTIC_DEFAULT_SORT.map(({ name, direction }) => ({ column: name, direction }))

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
  const { title, tableName, what, noRows } = TEXTS[activity]
  const select = useCallback(
    (all: readonly ElasticEntitlement[]) =>
      all.map((one) => elasticRow(one, info.today)).filter((row) => row.isActive === (activity === 'active')),
    [activity, info.today],
  )
  const query = useQuery({ ...elasticQuery(number), select })
  const table = useTable({
    tableName,
    urlPrefix: `${activity}.`,
    columns: ELASTIC_COLUMNS,
    rowKey,
    source: loadedSource(['elastic-rows', number, activity], ELASTIC_ROW_FIELDS, query),
    sorting: SORTING,
    toQuestion: (view) => elasticQuestion(view, info.today),
  })
  return (
    <DataTable
      table={table}
      title={title}
      label={title}
      what={what}
      isTwoLine
      rowName={rowName}
      detail={detailOf}
      actions={
        <CsvExport
          fetchCsv={() => fetchElasticCsv(number, activity === 'active', table.request)}
          fileName={`${activity}-elastic-entitlements-${number}-${info.today}.csv`}
          total={table.list.total}
        />
      }
      noRows={noRows}
    />
  )
}

const rowKey = (row: ElasticRow) => row.activationid
const rowName = (row: ElasticRow) => `${row.ansysproduct} ${row.activationid}`
const detailOf = (row: ElasticRow) => <ElasticDetail row={row} />

const TERM = { start: 'startdate', end: 'enddate' }

/** What the view asks of the elastic rows. */
function elasticQuestion({ filters, sorting }: Pick<TableView, 'filters' | 'sorting'>, today: CalendarDay): Question {
  return {
    filter: { condition: 'ALL', criteria: Object.keys(filters).flatMap((id) => elementsOf(id, filters, today)) },
    sorting: elasticSorting(sorting.map(({ column, direction }) => ({ name: column, direction }))),
  }
}

/** Some columns show more than the field that they are named after. */
function elementsOf(id: string, filters: ColumnFilters, today: CalendarDay): FilterElement[] {
  const filter = filters[id]
  switch (id) {
    case 'ansysproduct': {
      const criteria = [...criteriaOf([{ id }], filters), ...criteriaOf([{ id, field: 'activationid' }], filters)]
      return [{ condition: 'ANY', criteria }]
    }
    case 'startdate':
    case 'enddate':
      return criteriaOf([{ id, filter: { kind: 'day' } }], filters)
    case 'remainingdays': {
      const days = filter?.filterType === 'text' ? remainingElements(filter.filter, today, TERM) : undefined
      return days ?? criteriaOf([{ id }], filters)
    }
    default:
      return criteriaOf([{ id }], filters)
  }
}
