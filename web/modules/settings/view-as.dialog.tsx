import { Button, Group, Select, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { Loaded } from '#web/form/loaded.tsx'
import { useSave } from '#web/form/use-save.ts'
import { call } from '#web/lib/api/api-client.ts'
import { useKnownCustomer } from '#web/lib/customer.tsx'
import { contactChoiceQuery } from '#web/modules/settings/portal-access.api.ts'
import { Dialog } from '#web/ui/dialogs/dialog.tsx'

/** For staff. The page is loaded anew, so that nothing of theirs is left on it. */
export function ViewAsDialog({ onClose }: { onClose(): void }) {
  const { number } = useKnownCustomer()
  const [email, setEmail] = useState<string | null>(null)
  const starting = useSave({
    send: (contact: string, idempotencyKey) =>
      call('viewas/start', { body: { customerNumber: number, email: contact }, idempotencyKey }),
    success: () => undefined,
    notDone: 'The view was not changed.',
    onSaved: () => window.location.assign(`/home?customer=${encodeURIComponent(number)}`),
  })
  return (
    <Dialog title="View as customer" onClose={onClose}>
      <Stack gap="md">
        <Text c="dimmed">
          See the portal as a contact sees it. You cannot change anything meanwhile. Start and stop are in the audit
          log.
        </Text>
        <Loaded query={contactChoiceQuery(number)}>
          {(contacts) => (
            <Select
              label="Contact"
              placeholder="Choose a contact"
              data={contacts.map((contact) => contact.email)}
              value={email}
              onChange={setEmail}
              searchable
              data-autofocus
            />
          )}
        </Loaded>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button
            disabled={email === null}
            loading={starting.isSaving}
            onClick={() => email !== null && starting.save(email)}
          >
            View as contact
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}
