import type { HostIdentity } from '#domain/activations/hosts/host.ts'
import type { Soon } from '#domain/entitlements/term.ts'
import { useKnownCustomer } from '#web/lib/customer.tsx'
import { CurrentActivationsDialog } from '#web/modules/activations/history/current-activations.dialog.tsx'
import { DeleteHostDialog } from '#web/modules/activations/hosts/delete-host.dialog.tsx'
import { CompareFilesDialog } from '#web/modules/activations/license-files/compare-files.dialog.tsx'
import { LicenseFilesDialog } from '#web/modules/activations/license-files/license-files.dialog.tsx'
import { ConfirmPlanDialog } from '#web/modules/activations/plans/confirm-plan.dialog.tsx'
import { RehostDialog } from '#web/modules/activations/plans/rehost.dialog.tsx'

export type HostActionName = 'view' | 'rehost' | 'renew' | 'deactivate' | 'force return' | 'delete'
export type HostDialog =
  | { readonly kind: HostActionName | 'files' | 'compare'; readonly host: HostIdentity }
  /** On all license servers of the account. */
  | { readonly kind: 'renew' | 'regenerate'; readonly host: undefined; readonly soon?: Soon | undefined }

/** The dialog of one host, or of all of them, that is open. */
export function HostDialogs({ dialog, onClose }: { dialog: HostDialog; onClose(): void }) {
  const { number } = useKnownCustomer()
  if (!dialog.host) {
    const action = dialog.kind === 'renew' ? 'RENEW' : 'REGENERATE'
    const request = { customerNumber: number, action, host: undefined } as const
    return <ConfirmPlanDialog request={request} soon={dialog.soon} onClose={onClose} />
  }
  const { kind, host } = dialog
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
