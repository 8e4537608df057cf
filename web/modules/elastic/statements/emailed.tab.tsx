import { ActionIcon, Group, Text, Title } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useMemo } from 'react'
import { MAILED_KIND_NAMES } from '#domain/elastic/statements/mailed-statement.ts'
import { fetchFile } from '#web/lib/api/api-client.ts'
import { failureText } from '#web/lib/api/api-error.ts'
import { useKnownCustomer } from '#web/lib/customer.tsx'
import { saveFile } from '#web/lib/save-file.ts'
import { type MailedStatement, mailedStatementSource } from '#web/modules/elastic/statements/mailed-statements.api.ts'
import { dayColumn, idColumn, textColumn, timeColumn, withoutFilters } from '#web/table/columns/column-kinds.ts'
import { DataTable } from '#web/table/data-table.tsx'
import { useTable } from '#web/table/use-table.ts'
import { TableCsv } from '#web/ui/csv-export.tsx'
import { Id } from '#web/ui/id.tsx'
import { showPanel } from '#web/ui/panels.ts'
import { Tooltip } from '#web/ui/tooltip.tsx'

const KINDS: Readonly<Record<string, string>> = MAILED_KIND_NAMES

const ALL = 'All entitlements'

const COLUMNS = withoutFilters<MailedStatement>([
  timeColumn('Time', 'Emailed', 152, { phone: 'first line' }),
  textColumn('Kind', 'Statement', 110, { phone: 'first line', text: (row) => KINDS[row.Kind] ?? row.Kind }),
  dayColumn('PeriodStartDate', 'Period Start Date', 130, { phone: 'second line' }),
  dayColumn('PeriodEndDate', 'Period End Date', 130, { phone: 'second line' }),
  idColumn('ActivationId', 'Activation ID', 144, {
    flexible: { min: 144 },
    phone: 'second line',
    text: (row) => row.ActivationId ?? ALL,
    cell: (row) => (row.ActivationId ? <Id id={row.ActivationId} what="Activation ID" /> : ALL),
  }),
])
const PAGE_SIZES = [10, 25, 50, 100, 500]
const NEWEST_FIRST = [{ column: 'Time', direction: 'desc' }] as const

/** Statements and reports that were emailed. */
export function EmailedTab() {
  const { number, info } = useKnownCustomer()
  const source = useMemo(() => mailedStatementSource(number), [number])
  const table = useTable({
    tableName: 'mailedStatements',
    urlPrefix: 'emailed.',
    columns: COLUMNS,
    rowKey,
    source,
    sorting: NEWEST_FIRST,
    pageSizes: PAGE_SIZES,
  })
  return (
    <section aria-labelledby="mailed-statements">
      <Group justify="space-between" align="flex-end" gap="0.25rem 1.5rem" mb="0.5rem">
        <div>
          <Title order={2} size="h3" id="mailed-statements">
            Emailed statements
          </Title>
          <Text c="dimmed" mt="0.25rem">
            Sent statements never change. Late usage appears in the next one.
          </Text>
        </div>
        <TableCsv
          table={table}
          fetchCsv={(question) =>
            fetchFile('statements/mailed/export', { body: { customerNumber: number, ...question } })
          }
          fileName={`emailed-statements_${number}_${info.today}.csv`}
        />
      </Group>
      <DataTable
        table={table}
        isPlain
        label="Emailed statements"
        what="statements"
        rowName={rowName}
        noRows="No statement was emailed yet."
        actionsWidth={60}
        rowActions={(row) => <Download statement={row} />}
      />
    </section>
  )
}

const rowKey = (row: MailedStatement) => row.Id
const rowName = (row: MailedStatement) =>
  `${KINDS[row.Kind]} statement from ${row.PeriodStartDate} to ${row.PeriodEndDate}, ${row.ActivationId ?? 'all entitlements'}`

function Download({ statement }: { statement: MailedStatement }) {
  const { number } = useKnownCustomer()
  const file = useMutation({
    mutationFn: () => fetchFile('statements/mailed/file', { body: { customerNumber: number, id: statement.Id } }),
    onSuccess: (pdf) => saveFile(pdf, statement.FileName),
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
