import { Button, Group } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { reviewFileName } from '#domain/access-review/file-name.ts'
import { fetchFile } from '#web/lib/api/api-client.ts'
import { failureText } from '#web/lib/api/api-error.ts'
import { useKnownCustomer } from '#web/lib/customer.tsx'
import { timeText } from '#web/lib/format.ts'
import { saveFile } from '#web/lib/save-file.ts'
import { FINISHED_COLUMNS } from '#web/modules/access-review/access-columns.tsx'
import { type FinishedReview, finishedSource } from '#web/modules/access-review/access-review.api.ts'
import type { Column } from '#web/table/columns/column.ts'
import { DataTable } from '#web/table/data-table.tsx'
import { useTable } from '#web/table/use-table.ts'
import { showPanel } from '#web/ui/panels.ts'

const rowKey = (row: FinishedReview) => row.id
const rowName = (row: FinishedReview) => `the review of ${timeText(row.finishedAt)}`

/** What a review leaves behind is always in sight. */
const COLUMNS: readonly Column<FinishedReview>[] = [
  ...FINISHED_COLUMNS,
  {
    id: 'files',
    header: 'Report',
    width: 216,
    isSortable: false,
    phone: 'third line',
    text: ({ hasFiles }) => (hasFiles ? 'PDF, CSV, Signature' : 'The report is being made.'),
    cell: (row) => <Files review={row} />,
  },
]

/** Reviews that are finished, with their signed files. */
export function FinishedReviews() {
  const { number } = useKnownCustomer()
  const source = useMemo(() => finishedSource(number), [number])
  const table = useTable({ tableName: 'accessReviews', columns: COLUMNS, rowKey, source })
  useLookForFiles(table.list.rows ?? [], source.key)
  return (
    <DataTable
      table={table}
      label="Finished reviews"
      what="reviews"
      rowName={rowName}
      noRows="No review has been finished yet. Open one to decide who keeps access."
    />
  )
}

const FILES = [
  { kind: 'pdf', ending: 'pdf', label: 'PDF', call: 'access-review/pdf' },
  { kind: 'csv', ending: 'csv', label: 'CSV', call: 'access-review/csv' },
  { kind: 'signature', ending: 'signature.json', label: 'Signature', call: 'access-review/signature' },
] as const

function Files({ review }: { review: FinishedReview }) {
  const { number: customerNumber } = useKnownCustomer()
  const { id: reviewId, finishedOn } = review
  const download = useMutation({
    mutationFn: async ({ call, ending }: (typeof FILES)[number]) =>
      saveFile(
        await fetchFile(call, { body: { customerNumber, reviewId } }),
        reviewFileName({ customerNumber, finishedOn, reviewId }, ending),
      ),
    onError: (failure) => showPanel('error', failureText(failure)),
  })
  if (!review.hasFiles) return <span role="status">The report is being made.</span>
  return (
    <Group gap="0.25rem" wrap="nowrap">
      {FILES.map((file) => (
        <Button
          key={file.kind}
          size="compact-xs"
          variant="default"
          aria-label={`${file.label} of ${rowName(review)}`}
          onClick={() => download.mutate(file)}
        >
          {file.label}
        </Button>
      ))}
    </Group>
  )
}

/** The report takes a moment. In seconds. */
const LOOK_EVERY = 2

/** Looks again while a report is being made. */
function useLookForFiles(rows: readonly FinishedReview[], list: readonly unknown[]): void {
  const queries = useQueryClient()
  const isMissing = rows.some(({ hasFiles }) => !hasFiles)
  useQuery({
    queryKey: ['access-review-files', ...list],
    queryFn: async () => {
      await queries.invalidateQueries({ queryKey: list })
      return null
    },
    enabled: isMissing,
    refetchInterval: LOOK_EVERY * 1000,
    gcTime: 0,
  })
}
