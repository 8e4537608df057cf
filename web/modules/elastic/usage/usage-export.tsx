import { ActionIcon, Button, Group } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconChevronDown, IconDownload, IconFileExport, IconFileTypePdf, IconMail } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { exportFileName, financeFileName, type UsageFormat } from '#contract/elastic/usage/usage-exports.ts'
import { MAX_EXPORT, TOO_MANY_TRANSACTIONS } from '#domain/elastic/usage/usage-export.ts'
import type { FilterInput } from '#domain/filter/filter.ts'
import { call, fetchFile } from '#web/lib/api/api-client.ts'
import { failureText, hasCode } from '#web/lib/api/api-error.ts'
import { useKnownCustomer } from '#web/lib/customer.tsx'
import { countOf } from '#web/lib/format.ts'
import { saveFile } from '#web/lib/save-file.ts'
import { EmailFilesDialog } from '#web/modules/elastic/statements/email-files.tsx'
import { UsageExportsDialog } from '#web/modules/elastic/usage/usage-exports.dialog.tsx'
import { NOTHING_TO_EXPORT } from '#web/ui/csv-export.tsx'
import { Menu } from '#web/ui/overlays/menu.tsx'
import { showPanel } from '#web/ui/panels.ts'
import { ReasonTooltip } from '#web/ui/reason-tooltip.tsx'

type Props = { filter: FilterInput; total: number | undefined }

/** What the table shows, all pages of it, as a file: at once, or in the background when it is too much for that. */
export function UsageExport({ filter, total }: Props) {
  const { number, info } = useKnownCustomer()
  const [isOpen, dialog] = useDisclosure(false)
  const [isEmailing, email] = useDisclosure(false)
  const [format, setFormat] = useState<UsageFormat>('csv')
  const fileName = exportFileName(number, filter, info.timeZone)
  const openDialog = (next: UsageFormat) => {
    setFormat(next)
    dialog.open()
  }
  const csv = useMutation({
    mutationFn: () => fetchFile('fetchUsage/export', { body: { customerNumber: number, filter } }),
    onSuccess: (file) => saveFile(file, `${fileName}.csv`),
    onError: (error) => (hasCode(error, 'TOO_MANY_ROWS') ? openDialog('csv') : showPanel('error', failureText(error))),
  })
  const pdf = useMutation({
    mutationFn: () => fetchFile('fetchUsage/pdf', { body: { customerNumber: number, filter } }),
    onSuccess: (file) => saveFile(file, `${financeFileName(number, filter, info.timeZone)}.pdf`),
    onError: (error) => (hasCode(error, 'TOO_MANY_ROWS') ? openDialog('pdf') : showPanel('error', failureText(error))),
  })
  const isLarge = (total ?? 0) > MAX_EXPORT
  const nothing = total ? undefined : NOTHING_TO_EXPORT
  return (
    <Group gap={0}>
      <ReasonTooltip reason={nothing}>
        <Button
          variant="default"
          size="xs"
          leftSection={<IconDownload size={15} aria-hidden />}
          loading={csv.isPending}
          onClick={() => (isLarge ? openDialog('csv') : csv.mutate())}
        >
          Export as csv file
        </Button>
      </ReasonTooltip>
      <Menu
        position="bottom-end"
        button={
          <ActionIcon variant="default" size={30} loading={pdf.isPending} aria-label="More exports">
            <IconChevronDown size={14} aria-hidden />
          </ActionIcon>
        }
      >
        <Menu.Item
          leftSection={<IconFileTypePdf size={15} aria-hidden />}
          disabled={nothing !== undefined}
          onClick={() => (isLarge ? openDialog('pdf') : pdf.mutate())}
        >
          PDF for finance
        </Menu.Item>
        <Menu.Item
          leftSection={<IconMail size={15} aria-hidden />}
          disabled={nothing !== undefined || isLarge}
          onClick={email.open}
        >
          Email to…
        </Menu.Item>
        <Menu.Item leftSection={<IconFileExport size={15} aria-hidden />} onClick={() => openDialog('csv')}>
          Background exports
        </Menu.Item>
        {isLarge && <Menu.Label maw="16rem">{TOO_MANY_TRANSACTIONS}</Menu.Label>}
      </Menu>
      {isOpen && <UsageExportsDialog filter={filter} format={format} total={total ?? 0} onClose={dialog.close} />}
      {isEmailing && (
        <Suspense>
          <EmailFilesDialog
            what={`${countOf(total ?? 0, 'transaction')} with the filters of the table`}
            send={(recipients, key) =>
              call('fetchUsage/email', { body: { customerNumber: number, filter, recipients }, idempotencyKey: key })
            }
            onClose={email.close}
          />
        </Suspense>
      )}
    </Group>
  )
}
