import { ActionIcon, Paper, Text, Title } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useMemo } from 'react'
import { Loaded } from '#web/form/loaded.tsx'
import { failureText } from '#web/lib/api-failure.ts'
import { useCan, useKnownCustomer } from '#web/lib/customer.tsx'
import { ZONE_NOTE } from '#web/lib/format.ts'
import { saveFile } from '#web/lib/save-file.ts'
import {
  fetchMailedStatement,
  type MailedStatement,
  mailedStatementSource,
  scheduleQuery,
} from '#web/modules/elastic/statements/mailed-statements.api.ts'
import { ScheduleForm } from '#web/modules/elastic/statements/schedule.form.tsx'
import { dayColumn, idColumn, textColumn, timeColumn, withoutFilters } from '#web/table/columns/column-kinds.ts'
import { DataTable } from '#web/table/data-table.tsx'
import { IdCell } from '#web/table/grid/body/id-cell.tsx'
import { useTable } from '#web/table/use-table.ts'
import { showPanel } from '#web/ui/panels.ts'
import { Tooltip } from '#web/ui/tooltip.tsx'
import classes from './statement.module.css'

const KINDS: Readonly<Record<string, string>> = { weekly: 'Weekly', monthly: 'Monthly' }

const ALL = 'All entitlements'

const COLUMNS = withoutFilters<MailedStatement>([
  timeColumn('Time', 'Emailed', 152, { phone: 'first line' }),
  textColumn('Kind', 'Statement', 110, { phone: 'first line', text: (row) => KINDS[row.Kind] ?? row.Kind }),
  dayColumn('PeriodStartDate', 'Period Start Date', 130, { phone: 'second line' }),
  dayColumn('PeriodEndDate', 'Period End Date', 130, { phone: 'second line' }),
  idColumn('ActivationId', 'Activation ID', 306, {
    flexible: { min: 306, max: 400 },
    phone: 'second line',
    text: (row) => row.ActivationId ?? ALL,
    cell: (row) => (row.ActivationId ? <IdCell id={row.ActivationId} what="Activation ID" /> : ALL),
  }),
])
const PAGE_SIZES = [10, 25, 50, 100, 500]
const NEWEST_FIRST = [{ column: 'Time', direction: 'desc' }] as const

/** Mailed statements, and the schedule of statements. */
export function MailedStatements() {
  const { number } = useKnownCustomer()
  const maySeeSchedule = useCan('contacts.read')
  return (
    <div className={classes.mailed}>
      <section aria-labelledby="mailed-statements">
        <Title order={2} size="h3" id="mailed-statements">
          Emailed statements
        </Title>
        <Text c="dimmed" mt="0.25rem" mb="0.75rem">
          Emailed statements do not change. Usage that arrives later is in the next one, as late usage. {ZONE_NOTE}
        </Text>
        <MailedTable />
      </section>
      {maySeeSchedule && (
        <Paper component="section" className={classes.schedule} aria-labelledby="statement-schedule">
          <Title order={2} size="h3" id="statement-schedule">
            Scheduled statements
          </Title>
          <Text c="dimmed" mt="0.25rem" mb="0.75rem">
            Statements of all entitlements of this account, emailed with a PDF file.
          </Text>
          <Loaded query={scheduleQuery(number)}>{(loaded) => <ScheduleForm key={number} loaded={loaded} />}</Loaded>
        </Paper>
      )}
    </div>
  )
}

function MailedTable() {
  const { number } = useKnownCustomer()
  const source = useMemo(() => mailedStatementSource(number), [number])
  const table = useTable({ columns: COLUMNS, rowKey, source, sorting: NEWEST_FIRST, pageSizes: PAGE_SIZES })
  return (
    <DataTable
      table={table}
      isPlain
      isDense
      label="Emailed statements"
      what="statements"
      rowName={rowName}
      noRows="No statement was emailed yet."
      actionsWidth={60}
      rowActions={(row) => <Download statement={row} />}
    />
  )
}

const rowKey = (row: MailedStatement) => row.Id
const rowName = (row: MailedStatement) =>
  `${KINDS[row.Kind]} statement from ${row.PeriodStartDate} to ${row.PeriodEndDate}, ${row.ActivationId ?? 'all entitlements'}`

function Download({ statement }: { statement: MailedStatement }) {
  const { number } = useKnownCustomer()
  const { PeriodStartDate: from, PeriodEndDate: to, ActivationId: id } = statement
  const file = useMutation({
    mutationFn: () => fetchMailedStatement(number, statement.Id),
    onSuccess: (pdf) => saveFile(pdf, `statement_${[number, id, from, to].filter(Boolean).join('_')}.pdf`),
    onError: (error) => showPanel('error', failureText(error)),
  })
  return (
    <Tooltip label="Download the PDF file">
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={`Download the PDF file: ${rowName(statement)}`}
        loading={file.isPending}
        onClick={() => file.mutate()}
      >
        <IconDownload size={16} aria-hidden />
      </ActionIcon>
    </Tooltip>
  )
}
