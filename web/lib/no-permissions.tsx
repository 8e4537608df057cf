import { useLayoutEffect } from 'react'
import { PortalRedirect } from '#web/lib/portal-link.tsx'
import { discardUnsavedChanges } from '#web/lib/unsaved-changes.ts'

/** Leads away from a screen that the server refuses. Nobody is asked about changes that they could not save anyway. */
export function NoPermissions() {
  useLayoutEffect(discardUnsavedChanges, [])
  return <PortalRedirect to="/nopermissions" />
}
