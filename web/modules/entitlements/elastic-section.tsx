import { useQuery } from '@tanstack/react-query'
import { useCallback } from 'react'
import {
  ELASTIC_DEFAULT_SORT,
  ELASTIC_ROW_FIELDS,
  type ElasticEntitlement,
  type ElasticRow,
  elasticRow,
} from '#contract/elastic/elastic-row.ts'
import { useKnownCustomer } from '#web/lib/customer.tsx'
import { countText } from '#web/lib/figures.ts'
import { CsvExport } from '#web/modules/entitlements/csv-export.tsx'
import { elasticQuery, fetchElasticCsv } from '#web/modules/entitlements/elastic.api.ts'
import { ELASTIC_COLUMNS } from '#web/modules/entitlements/elastic-columns.tsx'
import { ElasticDetail } from '#web/modules/entitlements/elastic-detail.tsx'
import { useElasticRequest } from '#web/modules/entitlements/elastic-request.ts'
import { CollapsibleSection } from '#web/ui/collapsible/collapsible-section.tsx'
import { CollapsibleTable } from '#web/ui/collapsible/collapsible-table.tsx'
import { useLoadedList } from '#web/ui/grid/list/use-loaded-list.ts'
import { useSavedView } from '#web/ui/saved-views/use-saved-view.ts'

const SORTING = ELASTIC_DEFAULT_SORT.map(({ name, direction }) => ({ column: name, direction }))

const TEXTS = {
  active: {
    title: 'Active Entitlements',
    tableName: 'activeEntitlements',
    what: 'active entitlements',
    noRows: 'No elastic units of this account can be used today.',
  },
  inactive: {
    title: 'Inactive Entitlements',
    tableName: 'inActiveEntitlements',
    what: 'inactive entitlements',
    noRows: 'Nothing has expired or is used up, and nothing is waiting for its start.',
  },
} as const

/** One of the two tables of elastic units. */
export function ElasticSection({ activity }: { activity: 'active' | 'inactive' }) {
  const { number, info } = useKnownCustomer()
  const { title, tableName, what, noRows } = TEXTS[activity]
  const saved = useSavedView({ customerNumber: number, tableName, columns: ELASTIC_COLUMNS, sorting: SORTING })
  const asked = useElasticRequest(ELASTIC_COLUMNS, saved.view)
  const select = useCallback(
    (all: readonly ElasticEntitlement[]) =>
      all.map((one) => elasticRow(one, info.today)).filter((row) => row.isActive === (activity === 'active')),
    [activity, info.today],
  )
  const loaded = useQuery({ ...elasticQuery(number), select })
  const key = ['elastic-rows', number, activity]
  const answer = useLoadedList({ key, fields: ELASTIC_ROW_FIELDS, loaded }, asked.request)
  // Rows in another order than the saved one would jump as soon as that is known.
  const list = saved.isReady ? answer : { ...answer, rows: undefined, total: undefined }
  return (
    <CollapsibleSection title={title} aside={list.total === undefined ? undefined : countText(list.total)}>
      <CollapsibleTable
        label={title}
        what={what}
        columns={ELASTIC_COLUMNS}
        rowKey={activationIdOf}
        rowName={(row) => `${row.ansysproduct} ${row.activationid}`}
        detail={(row) => <ElasticDetail row={row} />}
        saved={saved}
        asked={asked}
        list={list}
        actions={
          <CsvExport
            fetchCsv={() => fetchElasticCsv(number, activity === 'active', asked.request)}
            fileName={`${activity}-elastic-entitlements-${number}-${info.today}.csv`}
            total={list.total}
          />
        }
        noRows={noRows}
      />
    </CollapsibleSection>
  )
}

const activationIdOf = (row: ElasticRow) => row.activationid
