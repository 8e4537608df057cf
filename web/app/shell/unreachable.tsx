import { Stack } from '@mantine/core'
import { FailureNotice } from '#web/ui/failure-notice.tsx'

/** Fills the window when the shell cannot be shown. */
export function Unreachable({ failure, onRetry }: { failure: unknown; onRetry(): void }) {
  return (
    <Stack component="main" align="center" justify="center" mih="100dvh" p="md">
      <FailureNotice failure={failure} onRetry={onRetry} />
    </Stack>
  )
}
