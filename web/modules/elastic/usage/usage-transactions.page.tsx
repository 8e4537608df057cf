import { Anchor, Button, Group, Text } from '@mantine/core'
import { IconReportMoney } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useMemo, useState } from 'react'
import type { Sum } from '#contract/kit/list.ts'
import { archivedNotice } from '#domain/elastic/usage/archived-months.ts'
import { compare, formatDecimal } from '#domain/money/decimal.ts'
import { useAddressRequest } from '#web/lib/address/use-address-request.ts'
import { failureText, hasCode } from '#web/lib/api/api-error.ts'
import { useKnownCustomer } from '#web/lib/customer.tsx'
import { timeText } from '#web/lib/format.ts'
import {
  elasticDeviceQuery,
  hasUsageWithQuery,
  lastReceivedQuery,
  SESSION_FIELDS,
  type Usage,
  usageSource,
} from '#web/modules/elastic/usage/usage.api.ts'
import { usageColumns } from '#web/modules/elastic/usage/usage-columns.ts'
import { UsageComparison } from '#web/modules/elastic/usage/usage-comparison.tsx'
import { UsageExport } from '#web/modules/elastic/usage/usage-export.tsx'
import { noUsageText, UsageControls, usageScope } from '#web/parts/usage-period/usage-controls.tsx'
import { readChoice, usageDemands } from '#web/parts/usage-period/usage-period.ts'
import { useUsageChoice } from '#web/parts/usage-period/use-usage-choice.ts'
import { DataTable } from '#web/table/data-table.tsx'
import type { ListState } from '#web/table/list/list-state.ts'
import { useSums } from '#web/table/list/use-sums.ts'
import { useTable } from '#web/table/use-table.ts'
import { usesColumn } from '#web/table/view/table-view.ts'
import { useComparison } from '#web/ui/date-range/comparison.ts'
import { CompareSwitch } from '#web/ui/date-range/period-bar.tsx'
import { dateFigures } from '#web/ui/figures.tsx'
import { PageHead } from '#web/ui/page-head.tsx'
import { ReasonTooltip } from '#web/ui/reason-tooltip.tsx'

const ACTIVE = 'Active Sessions'

const FinanceReportDialog = lazy(async () => ({
  default: (await import('#web/modules/elastic/usage/finance-report.dialog.tsx')).FinanceReportDialog,
}))

export function Page() {
  const { number, info } = useKnownCustomer()
  const queries = useQueryClient()
  const source = useMemo(() => usageSource(number), [number])
  const server = useQuery(elasticDeviceQuery(number))
  const cloudJobs = useQuery({ ...hasUsageWithQuery(number, 'AnsysCloudJobId'), enabled: server.isSuccess })
  const corrections = useQuery({ ...hasUsageWithQuery(number, 'CorrectedNumber'), enabled: server.isSuccess })
  const noServer = refusalIn(server.error)
  const table = useTable({
    tableName: 'elasticTransaction',
    columns: usageColumns({ hasCloudJobs: cloudJobs.data ?? false, hasCorrections: corrections.data ?? false }),
    rowKey,
    source,
    demands: ({ extra }) => usageDemands(SESSION_FIELDS, readChoice(extra, info.timeZone), info),
    // Without a license server there is no usage.
    isReady: (view) =>
      server.isSuccess &&
      (cloudJobs.isFetched || !usesColumn(view, 'AnsysCloudJobId')) &&
      (corrections.isFetched || !usesColumn(view, 'CorrectionOf')),
    useRows: (usage) => (server.error ? nothing(usage, noServer ? undefined : server) : usage),
  })
  const answered = useSums(source, table)
  const sums = useMemo(() => answered.toSorted(mostUsedFirst), [answered])
  const totals = useMemo(() => sums.map(totalsOf), [sums])
  const choice = useUsageChoice(table.state, info)
  const comparison = useComparison()

  const [isReporting, setIsReporting] = useState(false)
  // Home and other screens ask for the report.
  useAddressRequest('report', () => setIsReporting(true))

  const refresh = () => {
    void queries.invalidateQueries({ queryKey: source.key })
    void queries.invalidateQueries({ queryKey: lastReceivedQuery(number).queryKey })
  }
  return (
    <>
      <PageHead
        context={<LastReceived customerNumber={number} onRefresh={refresh} />}
        actions={
          <>
            <CompareSwitch comparison={comparison} days={choice.days} />
            <ReasonTooltip reason={noServer}>
              <Button
                variant="default"
                leftSection={<IconReportMoney size={16} aria-hidden />}
                onClick={() => setIsReporting(true)}
              >
                Report for finance
              </Button>
            </ReasonTooltip>
          </>
        }
      />
      {isReporting && !noServer && (
        <Suspense>
          <FinanceReportDialog onClose={() => setIsReporting(false)} />
        </Suspense>
      )}
      <DataTable
        table={table}
        label="Usage transactions"
        what="transactions"
        rowName={sessionOf}
        totals={totals}
        scope={usageScope(choice, ACTIVE)}
        controls={<UsageControls choice={choice} today={info.today} timeZone={info.timeZone} activeLabel={ACTIVE} />}
        notice={
          comparison.isOn && (
            <UsageComparison source={source} filter={table.request.filter} choice={choice} sums={sums} />
          )
        }
        actions={<UsageExport filter={table.request.filter} total={table.list.total} />}
        noRows={noServer ?? noUsageText(choice, { today: info.today, noun: 'session', activeLabel: ACTIVE })}
      />
    </>
  )
}

const mostUsedFirst = (one: Sum, other: Sum) => compare(other.sums.Charge ?? '0', one.sums.Charge ?? '0')

/** Costs in different currencies cannot be added, so each currency has its own row. */
const totalsOf = ({ by, sums }: Sum) => ({
  Hours: formatDecimal(sums.Hours ?? '0', 2),
  Charge: formatDecimal(sums.Charge ?? '0', 2),
  Currency: by,
})

const rowKey = (row: Usage) => String(row.TransactionNumber)
const sessionOf = (row: Usage) => `${row.Product} of ${row.User}`

/** The reason of a refusal by the server. */
function refusalIn(error: Error | null): string | undefined {
  return hasCode(error, 'NO_ELASTIC_SERVER', 'REFUSED') ? error.text : undefined
}

type Failed = { error: Error | null; refetch(): unknown }

function nothing(list: ListState<Usage>, failed: Failed | undefined): ListState<Usage> {
  const failure = failed?.error ?? undefined
  return { ...list, rows: [], total: 0, isStale: false, failure, retry: () => void failed?.refetch() }
}

/** When usage was last received, with Refresh, and what is archived. */
function LastReceived({ customerNumber, onRefresh }: { customerNumber: string; onRefresh(): void }) {
  const { data, error, isPending } = useQuery(lastReceivedQuery(customerNumber))
  const time = isPending
    ? '…'
    : error
      ? failureText(error)
      : data.lastUpdatedOn
        ? timeText(data.lastUpdatedOn)
        : 'none yet'
  return (
    <Group gap="0 0.75rem" align="baseline">
      <span role="status">
        Last received transaction: {/* Reserves the width of a time, so that nothing moves when it arrives. */}
        <Text span inherit className="figures" display="inline-block" miw="17.5ch">
          {dateFigures(time)}
        </Text>
      </span>
      <Anchor component="button" type="button" onClick={onRefresh}>
        Refresh
      </Anchor>
      <span>Transactions may be delayed by up to 30 minutes</span>
      {data?.archivedBefore && <span>{archivedNotice(data.archivedBefore)}</span>}
    </Group>
  )
}
