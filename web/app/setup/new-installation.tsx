import type { ReactNode } from 'react'
import { useSetup } from '#web/app/setup/setup.api.ts'
import { SetupSteps } from '#web/app/setup/setup-steps.tsx'
import { PageHead } from '#web/ui/page-head.tsx'
import { Spinner } from '#web/ui/spinner.tsx'

/** The first steps for somebody who has no account because nobody has one yet; otherwise what everybody sees. */
export function NewInstallation({ otherwise }: { otherwise: ReactNode }) {
  const { state, error } = useSetup('new')
  if (error) return otherwise
  if (!state) return <Spinner />
  if (state === 'ready') return otherwise
  return (
    <>
      <PageHead
        title="This installation is new"
        context="There are no accounts yet, and nobody has a staff role. If you operate this portal, start here."
      />
      <SetupSteps state={state} />
    </>
  )
}
