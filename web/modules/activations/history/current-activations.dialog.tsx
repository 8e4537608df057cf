import { Button, Group } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { HostIdentity } from '#domain/activations/hosts/host.ts'
import { useKnownCustomer } from '#web/lib/customer.tsx'
import { ActivatedProducts } from '#web/modules/activations/history/activated-products.tsx'
import { currentActivationsQuery } from '#web/modules/activations/history/host-history.api.ts'
import confirm from '#web/modules/activations/plans/confirm-changes.module.css'
import { Dialog } from '#web/ui/dialogs/dialog.tsx'
import { FailureNotice } from '#web/ui/failure-notice.tsx'
import { Spinner } from '#web/ui/spinner.tsx'

type Props = { customerNumber: string; host: HostIdentity; onClose(): void }

/** What is on a host now. */
export function CurrentActivationsDialog({ customerNumber, host, onClose }: Props) {
  const { info } = useKnownCustomer()
  const { data, error, refetch } = useQuery(currentActivationsQuery(customerNumber, host.serverId, info.today))
  const title = `The following products are activated on Host ID: ${host.serverId}.`
  return (
    <Dialog onClose={onClose} size={1000} title={title}>
      {error ? (
        <FailureNotice failure={error} onRetry={refetch} />
      ) : data ? (
        <ActivatedProducts rows={data} />
      ) : (
        <Spinner />
      )}
      <Group justify="flex-end" mt="md" className={confirm.buttons}>
        <Button data-autofocus onClick={onClose}>
          Ok
        </Button>
      </Group>
    </Dialog>
  )
}
