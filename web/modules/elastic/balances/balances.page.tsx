import { Anchor } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useCallback } from 'react'
import {
  ELASTIC_ROW_FIELDS,
  type ElasticEntitlement,
  type ElasticRow,
  elasticRow,
} from '#contract/elastic/balances/elastic-row.ts'
import type { RunOutForecast } from '#contract/elastic/balances/run-out-forecast.ts'
import { USUAL_WINDOW } from '#domain/elastic/balances/run-out.ts'
import { PortalLink, PortalRedirect } from '#web/lib/address/portal-link.tsx'
import { fetchFile } from '#web/lib/api/api-client.ts'
import { useKnownCustomer } from '#web/lib/customer.tsx'
import { ELASTIC_COLUMNS } from '#web/modules/elastic/balances/balance-columns.tsx'
import { ElasticDetail } from '#web/modules/elastic/balances/balance-detail.tsx'
import { elasticQuery, runOutQuery } from '#web/modules/elastic/balances/balances.api.ts'
import { UsageTrends } from '#web/modules/elastic/balances/usage-trend.tsx'
import { entitlementQuestion, LAST_TO_END_COLUMNS } from '#web/parts/entitlement/entitlement-question.ts'
import { DataTable } from '#web/table/data-table.tsx'
import { loadedSource } from '#web/table/list/use-loaded-list.ts'
import { type Activity, useActivityTable } from '#web/table/use-activity-table.ts'
import { TableCsv } from '#web/ui/csv-export.tsx'
import { PageHead } from '#web/ui/page-head.tsx'
import classes from './balances.module.css'

/** Its charts would take the whole window before the first row. */
const PHONE = '(max-width: 37.49em)'

export function Page() {
  const { number } = useKnownCustomer()
  const { data } = useQuery(elasticQuery(number))
  const isPhone = useMediaQuery(PHONE, false, { getInitialValueInEffect: false })
  if (data?.length === 0) return <PortalRedirect to="/ssl" />
  const trends = (
    <div className={classes.trends}>
      <UsageTrends />
    </div>
  )
  return (
    <>
      <PageHead
        context={`"Runs Out On" is based on usage in the last ${USUAL_WINDOW} days.`}
        actions={
          <Anchor component={PortalLink} to="/elastic-denials">
            Show denied session starts
          </Anchor>
        }
      />
      {!isPhone && trends}
      <ElasticSection activity="active" />
      <ElasticSection activity="inactive" />
      {isPhone && trends}
    </>
  )
}

const TEXTS = {
  title: 'Entitlements',
  what: 'entitlements',
  active: { tableName: 'activeEntitlements', noRows: 'This account has no active elastic entitlements.' },
  inactive: { tableName: 'inActiveEntitlements', noRows: 'No expired, used-up or upcoming entitlements.' },
} as const

/** One of the two tables of elastic units. */
function ElasticSection({ activity }: { activity: Activity }) {
  const { number, info } = useKnownCustomer()
  const { data: runOuts } = useQuery({ ...runOutQuery(number), select: byActivationId })
  const select = useCallback(
    (all: readonly ElasticEntitlement[]) =>
      all
        .map((one) => elasticRow(one, info.today, runOuts?.get(one.ActivationId)))
        .filter((row) => row.isActive === (activity === 'active')),
    [activity, info.today, runOuts],
  )
  const query = useQuery({ ...elasticQuery(number), select })
  const { table, ...texts } = useActivityTable(activity, TEXTS, {
    columns: ELASTIC_COLUMNS,
    rowKey,
    source: loadedSource(['elastic-rows', number, activity], ELASTIC_ROW_FIELDS, query),
    sorting: LAST_TO_END_COLUMNS,
    naturalSorting: LAST_TO_END_COLUMNS,
    toQuestion: (view) =>
      entitlementQuestion(view, {
        fields: ['ansysponum', 'ansysproduct', 'activationid'],
        today: info.today,
      }),
  })
  return (
    <DataTable
      table={table}
      {...texts}
      isFoldedAtFirst={activity === 'inactive'}
      rowName={rowName}
      detail={detailOf}
      actions={
        <TableCsv
          table={table}
          fetchCsv={(question) =>
            fetchFile('getEntitlements/export', {
              body: { customerNumber: number, active: activity === 'active', ...question },
            })
          }
          fileName={`${activity}-elastic-entitlements-${number}-${info.today}.csv`}
        />
      }
    />
  )
}

const byActivationId = ({ balances }: RunOutForecast) =>
  new Map(balances.map(({ activationId, windows }) => [activationId, windows]))

const rowKey = (row: ElasticRow) => row.activationid
const rowName = (row: ElasticRow) => `${row.ansysponum} ${row.activationid}`
const detailOf = (row: ElasticRow) => <ElasticDetail row={row} />
