import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { Answer, VerbName } from '#web/app/palette/verbs.ts'
import { useKnownCustomer } from '#web/lib/customer.tsx'
import { HostDialogs } from '#web/modules/activations/history/host-dialogs.tsx'
import { ConfirmPlanDialog } from '#web/modules/activations/plans/confirm-plan.dialog.tsx'
import { AddUsernameDialog, AllowAddressDialog } from '#web/modules/elastic/credentials/let-in.dialog.tsx'
import { elasticDeviceQuery } from '#web/modules/elastic/usage/usage.api.ts'
import { RemoveContactDialog } from '#web/modules/settings/remove-contact.dialog.tsx'
import { Dialog } from '#web/ui/dialogs/dialog.tsx'
import { FailureNotice } from '#web/ui/failure-notice.tsx'
import { Spinner } from '#web/ui/spinner.tsx'

type Props = { verb: VerbName; answer: Answer; onClose(): void }

/** The dialog that confirms what was chosen in the palette. Nothing is done without it. */
export function VerbDialog({ verb, answer, onClose }: Props) {
  const queries = useQueryClient()
  const { number } = useKnownCustomer()
  const close = () => {
    onClose()
    // Home lists what is left to do.
    void queries.invalidateQueries({ queryKey: ['home'] })
  }
  if (typeof answer === 'string')
    return verb === 'renew' ? (
      <ConfirmPlanDialog request={{ customerNumber: number, action: 'RENEW', host: undefined }} onClose={close} />
    ) : verb === 'remove contact' ? (
      <RemoveContactDialog email={answer} onClose={close} />
    ) : (
      <ElasticDialog verb={verb} answer={answer} onClose={close} />
    )
  if (verb === 'renew' || verb === 'rehost' || verb === 'deactivate')
    return <HostDialogs dialog={{ kind: verb, host: answer }} onClose={close} />
  return null
}

function ElasticDialog({ verb, answer, onClose }: Props & { answer: string }) {
  const { number } = useKnownCustomer()
  const { data, error, refetch } = useQuery(elasticDeviceQuery(number))
  const Question = verb === 'allow address' ? AllowAddressDialog : AddUsernameDialog
  if (data)
    return <Question server={{ customerNumber: number, clsId: data.deviceId }} subject={answer} onClose={onClose} />
  return (
    <Dialog title="Elastic license server" onClose={onClose}>
      {error ? <FailureNotice failure={error} onRetry={refetch} /> : <Spinner />}
    </Dialog>
  )
}
