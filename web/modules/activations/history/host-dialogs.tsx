import { useKnownCustomer } from '#web/lib/customer.tsx'
import { CurrentActivationsDialog } from '#web/modules/activations/history/current-activations.dialog.tsx'
import type { HostDialog } from '#web/modules/activations/history/host-actions.tsx'
import { DeleteHostDialog } from '#web/modules/activations/hosts/delete-host.dialog.tsx'
import { CompareFilesDialog } from '#web/modules/activations/license-files/compare-files.dialog.tsx'
import { LicenseFilesDialog } from '#web/modules/activations/license-files/license-files.dialog.tsx'
import { ConfirmPlanDialog } from '#web/modules/activations/plans/confirm-plan.dialog.tsx'
import { RehostDialog } from '#web/modules/activations/plans/rehost.dialog.tsx'

/** The dialog of one host that is open. */
export function HostDialogs({ dialog: { kind, host }, onClose }: { dialog: HostDialog; onClose(): void }) {
  const { number } = useKnownCustomer()
  const props = { customerNumber: number, host, onClose }
  switch (kind) {
    case 'view':
      return <CurrentActivationsDialog {...props} />
    case 'files':
      return <LicenseFilesDialog {...props} />
    case 'compare':
      return <CompareFilesDialog {...props} />
    case 'rehost':
      return <RehostDialog {...props} />
    case 'renew':
      return <ConfirmPlanDialog request={{ customerNumber: number, action: 'RENEW', host }} onClose={onClose} />
    case 'deactivate':
      return <ConfirmPlanDialog request={{ customerNumber: number, action: 'DEACTIVATE', host }} onClose={onClose} />
    case 'force return':
      return <ConfirmPlanDialog request={{ customerNumber: number, action: 'FORCE_RETURN', host }} onClose={onClose} />
    case 'delete':
      return <DeleteHostDialog {...props} />
  }
}
