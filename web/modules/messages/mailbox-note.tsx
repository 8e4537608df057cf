import { Box } from '@mantine/core'
import { runtimeConfig } from '#web/lib/runtime-config.ts'
import { SignalStrip } from '#web/ui/signal/signal-strip.tsx'

/** An installation without a mail server has to say so: nobody else would notice that no mail arrives. */
export function MailboxNote() {
  if (runtimeConfig().mailDelivery !== 'mailbox') return null
  return (
    <Box mb="md">
      <SignalStrip signal="blue" role="status">
        No mail server is set up, so new e-mails are not delivered: they go to the mailbox folder of this installation
        and to this history.
      </SignalStrip>
    </Box>
  )
}
