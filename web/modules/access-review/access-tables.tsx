import { ActionIcon, Box, Button, SegmentedControl } from '@mantine/core'
import { IconCheck, IconUserMinus } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { isDecidable } from '#domain/access-review/decision.ts'
import { fetchFile } from '#web/lib/api/api-client.ts'
import { failureText } from '#web/lib/api/api-error.ts'
import { useKnownCustomer } from '#web/lib/customer.tsx'
import { timeText } from '#web/lib/format.ts'
import { ACCESS_COLUMNS, ENTRY_COLUMNS } from '#web/modules/access-review/access-columns.tsx'
import { type AccessRow, accessSource, type Decidable } from '#web/modules/access-review/access-review.api.ts'
import { useDecisions } from '#web/modules/access-review/use-decisions.tsx'
import { DataTable } from '#web/table/data-table.tsx'
import type { ListSource } from '#web/table/list/list-source.ts'
import { NOTHING_SELECTED, selectedCount, useSelection } from '#web/table/rows/selection.ts'
import { type Table, useTable } from '#web/table/use-table.ts'
import { TableCsv } from '#web/ui/csv-export.tsx'
import { Facts } from '#web/ui/facts.tsx'
import { showPanel } from '#web/ui/panels.ts'
import { Tooltip } from '#web/ui/tooltip.tsx'

/** With the revision, so that the selection knows what the person has seen. */
const rowKey = ({ id, revision }: AccessRow) => `${revision} ${id}`
const rowName = (row: AccessRow) => row.name
const canSelect = (row: AccessRow) => isDecidable(row.decision)

function decidableOf(key: string): Decidable {
  const blank = key.indexOf(' ')
  return { id: key.slice(blank + 1), revision: Number(key.slice(0, blank)) }
}

const SHOWN = [
  { value: 'all', label: 'All' },
  { value: 'unused', label: 'Unused for 90 days' },
  { value: 'open', label: 'Not decided' },
]
type Shown = 'all' | 'unused' | 'open'
const demandsOf = (shown: Shown) => {
  if (shown === 'unused') return [{ name: 'isUnused', method: 'EQUALS', value: true } as const]
  return shown === 'open' ? [{ name: 'decision', method: 'EQUALS', value: 'open' } as const] : []
}

function useAccessTable(reviewId: string | undefined, shown: Shown) {
  const { number } = useKnownCustomer()
  const source = useMemo(() => accessSource(number, reviewId), [number, reviewId])
  const table = useTable({
    tableName: reviewId === undefined ? 'accessNow' : 'accessReview',
    columns: reviewId === undefined ? ACCESS_COLUMNS : ENTRY_COLUMNS,
    rowKey,
    source,
    demands: () => demandsOf(shown),
  })
  return { table, source }
}

function AccessCsv({ table, reviewId }: { table: Table<AccessRow>; reviewId: string | undefined }) {
  const { number: customerNumber } = useKnownCustomer()
  const review = reviewId === undefined ? {} : { reviewId }
  return (
    <TableCsv
      table={table}
      fileName={`access_${customerNumber}.csv`}
      fetchCsv={(question) => fetchFile('access-review/export', { body: { customerNumber, ...review, ...question } })}
    />
  )
}

/** What has access now. It is decided on in a review. */
export function AccessNow() {
  const [shown, setShown] = useState<Shown>('all')
  const { table } = useAccessTable(undefined, shown)
  return (
    <DataTable
      table={table}
      label="Access"
      what="accesses"
      rowName={rowName}
      detail={detailOf}
      noRows="Nobody has access to this account."
      controls={
        <SegmentedControl
          size="xs"
          aria-label="Shown accesses"
          data={SHOWN.slice(0, 2)}
          value={shown}
          onChange={(value) => setShown(value as Shown)}
        />
      }
      actions={<AccessCsv table={table} reviewId={undefined} />}
    />
  )
}

/** The entries of the open review, to be kept or taken away. */
export function ReviewEntries({ reviewId }: { reviewId: string }) {
  const [shown, setShown] = useState<Shown>('all')
  const { table, source } = useAccessTable(reviewId, shown)
  const state = useSelection()
  const { selection, setSelection } = state
  const selected = selectedCount(selection, table.list.total ?? 0)
  const { keep, takeAway, isSaving, dialog } = useDecisions(reviewId, () => {
    setSelection(NOTHING_SELECTED)
    // The focused button disappears with the selection.
    document.getElementById('main')?.focus({ preventScroll: true })
  })
  const withSelected = (use: (entries: readonly Decidable[]) => void) => {
    if (!selection.isAllMatching) return use(Object.keys(selection.keys).map(decidableOf))
    listMatching(table, source).then(use, (error) => showPanel('error', failureText(error)))
  }
  return (
    <>
      <DataTable
        table={table}
        label="Access to review"
        what="accesses"
        rowName={rowName}
        detail={detailOf}
        noRows="Nobody had access to this account when the review was opened."
        selection={state}
        canSelect={canSelect}
        actionsWidth={76}
        rowActions={(row) => canSelect(row) && <RowButtons row={row} onKeep={keep} onTakeAway={takeAway} />}
        controls={
          <SegmentedControl
            size="xs"
            aria-label="Shown accesses"
            data={SHOWN}
            value={shown}
            onChange={(value) => setShown(value as Shown)}
          />
        }
        actions={
          <>
            {selected > 0 && (
              <>
                <Button size="xs" variant="default" loading={isSaving} onClick={() => withSelected((all) => keep(all))}>
                  Keep
                </Button>
                <Button
                  size="xs"
                  variant="default"
                  disabled={isSaving}
                  onClick={() => withSelected((all) => takeAway(all))}
                >
                  Take away
                </Button>
              </>
            )}
            <AccessCsv table={table} reviewId={reviewId} />
          </>
        }
      />
      {dialog}
    </>
  )
}

const PAGE = 1000

/** All rows that match the filters and can be decided, on all pages. */
async function listMatching({ request }: Table<AccessRow>, source: ListSource<AccessRow>): Promise<Decidable[]> {
  const { filter, sorting } = request
  const { signal } = new AbortController()
  const found: AccessRow[] = []
  for (;;) {
    const { rows } = await source.fetchPage({ filter, sorting, from: { offset: found.length }, limit: PAGE, signal })
    found.push(...rows)
    if (rows.length < PAGE) return found.filter(canSelect)
  }
}

type ButtonProps = {
  row: AccessRow
  onKeep(entries: readonly Decidable[]): void
  onTakeAway(entries: readonly Decidable[], name: string): void
}

function RowButtons({ row, onKeep, onTakeAway }: ButtonProps) {
  return (
    <>
      {row.decision === 'open' && (
        <Tooltip label="Keep">
          <ActionIcon variant="subtle" aria-label={`Keep: ${row.name}`} onClick={() => onKeep([row])}>
            <IconCheck size={16} aria-hidden />
          </ActionIcon>
        </Tooltip>
      )}
      <Tooltip label="Take away">
        <ActionIcon variant="subtle" aria-label={`Take away: ${row.name}`} onClick={() => onTakeAway([row], row.name)}>
          <IconUserMinus size={16} aria-hidden />
        </ActionIcon>
      </Tooltip>
    </>
  )
}

const detailOf = (row: AccessRow) => (
  <Box py="xs" px={4}>
    <Facts
      facts={[
        ['Person', row.holder],
        ['Role', row.role],
        ['Since', timeText(row.since)],
        ['Given by', row.givenBy ?? 'Not recorded'],
        ['Decided by', row.decidedBy],
        ['Decided', row.decidedAt && timeText(row.decidedAt)],
        ['Reason', row.reason],
      ]}
    />
  </Box>
)
