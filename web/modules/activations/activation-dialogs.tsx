import { lazy, Suspense } from 'react'
import type { CustomerActivations } from '#domain/activations/seats/activation-selection.ts'
import { editChanges, type SeatChange } from '#domain/activations/seats/seat-changes.ts'
import { useCan, useKnownCustomer } from '#web/lib/customer.tsx'
import type { ServerHost } from '#web/modules/activations/activations.api.ts'
import type { SaveButtonKind, SaveJob } from '#web/modules/activations/plans/save-job.ts'

/** Dialogs are loaded when they are opened. */
const AddHostDialog = lazy(async () => ({
  default: (await import('#web/modules/activations/hosts/add-host.dialog.tsx')).AddHostDialog,
}))
const ConfirmChangesDialog = lazy(async () => ({
  default: (await import('#web/modules/activations/plans/confirm-changes.dialog.tsx')).ConfirmChangesDialog,
}))
const LicenseFilesDialog = lazy(async () => ({
  default: (await import('#web/modules/activations/license-files/license-files.dialog.tsx')).LicenseFilesDialog,
}))
const RehostDialog = lazy(async () => ({
  default: (await import('#web/modules/activations/plans/rehost.dialog.tsx')).RehostDialog,
}))

export type ActivationDialog =
  | { kind: 'add host' }
  | { kind: 'rehost' }
  | { kind: 'files' }
  | { kind: 'confirm'; button: SaveButtonKind }

type Props = {
  dialog: ActivationDialog | undefined
  known: readonly ServerHost[]
  host: ServerHost | undefined
  licensed: readonly CustomerActivations[]
  warning: string | undefined
  /** What was added to the tables for a link. */
  added: string | undefined
  jobOf(button: SaveButtonKind, host: ServerHost): (changes: readonly SeatChange[]) => SaveJob
  onAdd(host: ServerHost): void
  onConfirm(job: SaveJob): void
  onClose(): void
}

export function ActivationDialogs({ dialog, known, host, licensed, warning, added, jobOf, ...on }: Props) {
  const { number, info } = useKnownCustomer()
  const mayOverrideMaintenance = useCan('activations.override-maintenance')
  const { onAdd, onConfirm, onClose } = on
  return (
    <Suspense>
      {dialog?.kind === 'add host' && (
        <AddHostDialog customerNumber={number} known={known} onAdd={onAdd} onClose={onClose} />
      )}
      {dialog?.kind === 'rehost' && host && <RehostDialog customerNumber={number} host={host} onClose={onClose} />}
      {dialog?.kind === 'files' && host && <LicenseFilesDialog customerNumber={number} host={host} onClose={onClose} />}
      {dialog?.kind === 'confirm' && host && (
        <ConfirmChangesDialog
          changes={editChanges(licensed, info.today)}
          warning={warning}
          added={added}
          mayOverrideMaintenance={mayOverrideMaintenance}
          jobOf={jobOf(dialog.button, host)}
          onClose={onClose}
          onConfirm={onConfirm}
        />
      )}
    </Suspense>
  )
}
