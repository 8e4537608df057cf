import type { ReactNode } from 'react'
import { SETUP_TEXTS } from '#domain/setup/setup-steps.ts'
import { ScreenSkeleton } from '#web/app/screens/screen-skeleton.tsx'
import { useSetup } from '#web/app/setup/setup.api.ts'
import { SetupSteps } from '#web/app/setup/setup-steps.tsx'
import { PageHead } from '#web/ui/page-head.tsx'

/** The first steps for somebody who has no account while nobody is in charge; otherwise what everybody sees. */
export function NewInstallation({ otherwise }: { otherwise: ReactNode }) {
  const { state, command, error } = useSetup('new')
  if (error) return otherwise
  if (!state) return <ScreenSkeleton />
  if (state === 'ready') return otherwise
  return (
    <>
      <PageHead
        title={state === 'unstaffed' ? 'Nobody is in charge yet' : 'This installation is new'}
        context={`${SETUP_TEXTS[state]} If you operate this portal, start here.`}
      />
      <SetupSteps state={state} command={command} />
    </>
  )
}
