import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import type { FilterInput, SortInput } from '#domain/filter/filter.ts'
import { failureText } from '#web/lib/api/api-error.ts'
import { saveFile } from '#web/lib/save-file.ts'
import type { ListRequest, ListState } from '#web/table/list/list-state.ts'
import { showPanel } from '#web/ui/panels.ts'
import { ReasonTooltip } from '#web/ui/reason-tooltip.tsx'

export const NOTHING_TO_EXPORT = 'There is nothing to export.'

type Props = {
  fetchCsv(): Promise<Blob>
  fileName: string
  total: number | undefined
  /** As high as the neighboring buttons: small above a table, larger at the top of a page. */
  size?: 'xs' | 'sm'
  /** Shown while the file is made. */
  waiting?: string
}

/** Everything that matches the filters, all pages of it, as a file. */
export function CsvExport({ fetchCsv, fileName, total, size = 'xs', waiting }: Props) {
  const csv = useMutation({
    mutationFn: fetchCsv,
    onSuccess: (file) => saveFile(file, fileName),
    onError: (error) => showPanel('error', failureText(error)),
  })
  return (
    <ReasonTooltip reason={total ? undefined : NOTHING_TO_EXPORT}>
      <Button
        variant="default"
        size={size}
        leftSection={<IconDownload size={15} aria-hidden />}
        disabled={csv.isPending && waiting !== undefined}
        loading={csv.isPending && waiting === undefined}
        onClick={() => csv.mutate()}
      >
        <span aria-live="polite">{(csv.isPending && waiting) || 'Export as csv file'}</span>
      </Button>
    </ReasonTooltip>
  )
}

type TableProps = Pick<Props, 'fileName' | 'waiting'> & {
  table: { request: ListRequest; list: Pick<ListState<unknown>, 'total'> }
  fetchCsv(question: { filter: FilterInput; sorting: SortInput[] }): Promise<Blob>
}

/** Everything that a table would show on its pages, in its order. */
export function TableCsv({ table: { request, list }, fetchCsv, ...props }: TableProps) {
  const { filter, sorting } = request
  return <CsvExport {...props} fetchCsv={() => fetchCsv({ filter, sorting: [...sorting] })} total={list.total} />
}
