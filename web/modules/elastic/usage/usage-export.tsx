import { ActionIcon, Button, Group } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconDownload, IconFileExport } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { exportFileName } from '#contract/elastic/usage/usage-exports.ts'
import { MAX_EXPORT } from '#domain/elastic/usage/usage-export.ts'
import type { FilterInput } from '#domain/filter/filter.ts'
import { failureText, hasCode } from '#web/lib/api-failure.ts'
import { useKnownCustomer } from '#web/lib/customer.tsx'
import { saveFile } from '#web/lib/save-file.ts'
import { fetchUsageCsv } from '#web/modules/elastic/usage/usage.api.ts'
import { UsageExportsDialog } from '#web/modules/elastic/usage/usage-exports.dialog.tsx'
import { NOTHING_TO_EXPORT } from '#web/ui/csv-export.tsx'
import { showPanel } from '#web/ui/panels.ts'
import { ReasonTooltip } from '#web/ui/reason-tooltip.tsx'
import { Tooltip } from '#web/ui/tooltip.tsx'

type Props = { filter: FilterInput; total: number | undefined }

/** What the table shows, all pages of it, as a file: at once, or in the background when it is too much for that. */
export function UsageExport({ filter, total }: Props) {
  const { number, info } = useKnownCustomer()
  const [isOpen, dialog] = useDisclosure(false)
  const csv = useMutation({
    mutationFn: () => fetchUsageCsv(number, filter),
    onSuccess: (file) => saveFile(file, `${exportFileName(number, filter, info.timeZone)}.csv`),
    onError: (error) => (hasCode(error, 'TOO_MANY_ROWS') ? dialog.open() : showPanel('error', failureText(error))),
  })
  const isLarge = (total ?? 0) > MAX_EXPORT
  return (
    <Group gap={4}>
      <ReasonTooltip reason={total ? undefined : NOTHING_TO_EXPORT}>
        <Button
          variant="default"
          size="xs"
          leftSection={<IconDownload size={15} aria-hidden />}
          loading={csv.isPending}
          onClick={() => (isLarge ? dialog.open() : csv.mutate())}
        >
          Export as csv file
        </Button>
      </ReasonTooltip>
      <Tooltip label="Background exports">
        <ActionIcon variant="default" size={30} aria-label="Background exports" onClick={dialog.open}>
          <IconFileExport size={16} />
        </ActionIcon>
      </Tooltip>
      {isOpen && <UsageExportsDialog filter={filter} total={total ?? 0} onClose={dialog.close} />}
    </Group>
  )
}
