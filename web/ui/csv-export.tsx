import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { failureText } from '#web/lib/api-failure.ts'
import { saveFile } from '#web/lib/save-file.ts'
import { showPanel } from '#web/ui/panels.ts'

type Props = {
  fetchCsv(): Promise<Blob>
  fileName: string
  total: number | undefined
  /** Shown while the file is made. */
  waiting?: string
}

/** Everything that matches the filters, all pages of it, as a file. */
export function CsvExport({ fetchCsv, fileName, total, waiting }: Props) {
  const csv = useMutation({
    mutationFn: fetchCsv,
    onSuccess: (file) => saveFile(file, fileName),
    onError: (error) => showPanel('error', failureText(error)),
  })
  return (
    <Button
      variant="default"
      size="xs"
      leftSection={<IconDownload size={15} aria-hidden />}
      disabled={!total || (csv.isPending && waiting !== undefined)}
      loading={csv.isPending && waiting === undefined}
      onClick={() => csv.mutate()}
    >
      <span aria-live="polite">{(csv.isPending && waiting) || 'Export as csv file'}</span>
    </Button>
  )
}
