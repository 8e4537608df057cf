import { Button, Group, Text } from '@mantine/core'
import { IconLock, IconPlugConnectedX } from '@tabler/icons-react'
import { ApiError, hasCode } from '#web/lib/api/api-error.ts'
import { goToFreshSignIn } from '#web/lib/sign-in/sign-in.ts'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Spinner } from '#web/ui/spinner.tsx'

/** Shown instead of data that failed to load: the error, its reference id, and Retry, or the sign-in that the data needs. */
export function FailureNotice({ failure, onRetry }: { failure: unknown; onRetry(): void }) {
  const known = failure instanceof ApiError ? failure : undefined
  // The page is already going to sign-in.
  if (hasCode(failure, 'NOT_SIGNED_IN')) return <Spinner text="Your session has ended. Taking you to sign-in..." />
  if (hasCode(failure, 'FRESH_SIGN_IN_NEEDED'))
    return (
      <EmptyState
        icon={IconLock}
        title="Sign in again to see this"
        actions={
          <Button variant="default" onClick={goToFreshSignIn}>
            Sign in again
          </Button>
        }
      >
        {failure.message} You come back to this page.
      </EmptyState>
    )
  return (
    <div role="alert">
      <EmptyState
        icon={IconPlugConnectedX}
        title={titleOf(known)}
        actions={
          <Button variant="default" onClick={onRetry}>
            Retry
          </Button>
        }
      >
        {known?.message ?? 'Something went wrong. Retry reloads the page.'}
        {known?.cause instanceof ApiError && (
          <Text inherit component="span" display="block">
            {known.cause.message}
          </Text>
        )}
        {known?.referenceId && (
          <Group component="span" gap={4} mt="xs" justify="center" wrap="nowrap">
            <code>({known.referenceId})</code>
            <CopyButton value={known.referenceId} what="reference id" />
          </Group>
        )}
      </EmptyState>
    </div>
  )
}

function titleOf(known: ApiError | undefined): string {
  if (!known) return 'This page could not be shown'
  return known.code === 'NO_ANSWER' ? 'No connection to the portal' : 'The data could not be loaded'
}
