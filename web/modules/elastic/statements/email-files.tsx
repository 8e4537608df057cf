import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconMail } from '@tabler/icons-react'
import { lazy, Suspense } from 'react'
import type { EmailedFiles } from '#web/modules/elastic/statements/email-files.dialog.tsx'
import { ReasonTooltip } from '#web/ui/reason-tooltip.tsx'

export const EmailFilesDialog = lazy(async () => ({
  default: (await import('#web/modules/elastic/statements/email-files.dialog.tsx')).EmailFilesDialog,
}))

type Props = EmailedFiles & {
  /** Why nothing can be emailed. */
  reason: string | undefined
  size?: 'xs' | 'sm'
}

/** Emails what the screen shows as PDF and CSV files. */
export function EmailFiles({ reason, size = 'sm', ...files }: Props) {
  const [isOpen, dialog] = useDisclosure(false)
  return (
    <>
      <ReasonTooltip reason={reason}>
        <Button variant="default" size={size} leftSection={<IconMail size={16} aria-hidden />} onClick={dialog.open}>
          Email to…
        </Button>
      </ReasonTooltip>
      {isOpen && (
        <Suspense>
          <EmailFilesDialog {...files} onClose={dialog.close} />
        </Suspense>
      )}
    </>
  )
}
