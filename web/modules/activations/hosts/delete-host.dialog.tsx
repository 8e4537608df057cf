import { Button, Group, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import type { HostIdentity } from '#domain/activations/hosts/host.ts'
import { ACTIVATION_ERRORS } from '#domain/activations/seats/activation-error.ts'
import { useSave } from '#web/form/use-save.ts'
import { call } from '#web/lib/api/api-client.ts'
import { hostFields } from '#web/modules/activations/activations.api.ts'
import { reloadHistory } from '#web/modules/activations/plans/host-plan.api.ts'
import { Dialog } from '#web/ui/dialogs/dialog.tsx'

type Props = { customerNumber: string; host: HostIdentity; onClose(): void }

export function DeleteHostDialog({ customerNumber, host, onClose }: Props) {
  const queries = useQueryClient()
  const { save, isSaving } = useSave({
    send: (_: undefined, idempotencyKey) =>
      call('sharedserver/remove', { body: { customerNumber, ...hostFields(host) }, idempotencyKey }),
    success: `The license server ${host.serverName.replaceAll(',', ', ')} has been deleted.`,
    notDone: ACTIVATION_ERRORS.remove,
    onSaved: async () => {
      onClose()
      await reloadHistory(queries)
    },
  })
  return (
    <Dialog onClose={onClose} size={1200} title={`Delete ${host.serverName.replaceAll(',', ', ')}`}>
      <Text mb="0.75rem">The following Host ID: {host.serverId} will be removed permanently.</Text>
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button data-autofocus loading={isSaving} onClick={() => save(undefined)}>
          Delete license server
        </Button>
      </Group>
    </Dialog>
  )
}
