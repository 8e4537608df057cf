import { Button, Group } from '@mantine/core'
import { useSave } from '#web/form/use-save.ts'
import { call } from '#web/lib/api/api-client.ts'
import { useShownAccount } from '#web/lib/customer.tsx'
import { useSignedIn } from '#web/lib/sign-in/signed-in.tsx'
import { SignalStrip } from '#web/ui/signal-strip.tsx'

/** Staff see at once that this is not their own view. */
export function ViewingBanner() {
  const { user } = useSignedIn()
  const account = useShownAccount()
  const stopping = useSave({
    send: (_: undefined, idempotencyKey) => call('viewas/stop', { idempotencyKey }),
    success: () => undefined,
    notDone: 'You are still viewing as the contact.',
    onSaved: () =>
      window.location.assign(account ? `/portalaccess?customer=${encodeURIComponent(account.number)}` : '/home'),
  })
  if (!user.viewedBy) return null
  return (
    <SignalStrip signal="orange" role="status" isBanner>
      <Group gap="sm" justify="space-between">
        <span>
          You are viewing the portal as <strong>{user.email}</strong>. Nothing can be changed.
        </span>
        <Button
          size="compact-xs"
          variant="default"
          loading={stopping.isSaving}
          onClick={() => stopping.save(undefined)}
        >
          Stop viewing
        </Button>
      </Group>
    </SignalStrip>
  )
}
