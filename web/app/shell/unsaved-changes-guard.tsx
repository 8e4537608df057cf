import { useEffect, useState } from 'react'
import { useBeforeUnload, useBlocker } from 'react-router'
import { customerIn } from '#web/lib/portal-address.ts'
import { discardUnsavedChanges, hasUnsavedChanges, onAskToLeave } from '#web/lib/unsaved-changes.ts'
import { UnsavedChangesDialog } from '#web/ui/dialogs/unsaved-changes-dialog.tsx'

/** The only blocker of the portal: asks before another screen, another customer, signing out, or closing the tab. */
export function UnsavedChangesGuard() {
  const [leave, setLeave] = useState<() => void>()
  const blocker = useBlocker(
    ({ currentLocation: here, nextLocation: there }) =>
      hasUnsavedChanges() && (here.pathname !== there.pathname || customerIn(here.search) !== customerIn(there.search)),
  )
  useEffect(() => onAskToLeave((action) => setLeave(() => action)), [])
  useBeforeUnload((event) => {
    if (hasUnsavedChanges()) event.preventDefault()
  })

  const stay = () => {
    setLeave(undefined)
    blocker.reset?.()
  }
  const discard = () => {
    discardUnsavedChanges()
    setLeave(undefined)
    blocker.proceed?.()
    leave?.()
  }
  return (
    <UnsavedChangesDialog
      opened={blocker.state === 'blocked' || leave !== undefined}
      onStay={stay}
      onDiscard={discard}
    />
  )
}
