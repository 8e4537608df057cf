import { lazy, Suspense } from 'react'
import { useKnownCustomer } from '#web/lib/customer.tsx'
import { SaveProgress } from '#web/modules/activations/plans/save-progress.tsx'
import type { useSaveFlow } from '#web/modules/activations/plans/use-save-flow.ts'

const LicenseReadyDialog = lazy(async () => ({
  default: (await import('#web/modules/activations/license-files/license-ready.dialog.tsx')).LicenseReadyDialog,
}))
const SaveConflictDialog = lazy(async () => ({
  default: (await import('#web/modules/activations/plans/save-conflict.dialog.tsx')).SaveConflictDialog,
}))

type Props = {
  saving: ReturnType<typeof useSaveFlow>
  /** Drops the edits on screen: they were saved, or the person has chosen other ones. */
  onReset(): void
  onDone(): void
}

/** The progress of a save, and the dialog that it ends with. */
export function SaveOutcome({ saving, onReset, onDone }: Props) {
  const { supportEmail } = useKnownCustomer().info
  const { state } = saving
  return (
    <>
      <SaveProgress
        progress={state.kind === 'running' ? state.progress : undefined}
        {...(saving.planId !== undefined && {
          onLeave: () => {
            saving.leave()
            onReset()
          },
        })}
      />
      <Suspense>
        {state.kind === 'conflict' && (
          <SaveConflictDialog
            {...state}
            onTheirs={() => {
              onReset()
              void saving.clearError()
            }}
            onMine={saving.start}
            onClose={saving.close}
          />
        )}
        {state.kind === 'done' && (
          <LicenseReadyDialog
            job={state.job}
            result={state.result}
            supportEmail={supportEmail}
            onClose={() => {
              saving.close()
              onReset()
              onDone()
            }}
          />
        )}
      </Suspense>
    </>
  )
}
