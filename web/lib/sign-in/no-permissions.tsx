import { useLayoutEffect } from 'react'
import { PortalRedirect } from '#web/lib/address/portal-link.tsx'
import { discardUnsavedChanges } from '#web/lib/kept/unsaved-changes.ts'

/** Goes to /nopermissions. Unsaved changes are dropped without a question, because they cannot be saved. */
export function NoPermissions() {
  useLayoutEffect(discardUnsavedChanges, [])
  return <PortalRedirect to="/nopermissions" />
}
