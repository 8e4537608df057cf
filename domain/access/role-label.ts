import { isAsc, isPortalEdit, isPortalView } from '#domain/access/can.ts'
import type { Actor, Standing } from '#domain/access/standing.ts'

/** What the avatar menu calls a person: staff by their own role, others by what they are on the selected account. */
export function roleLabel(who: Actor, on: Standing | undefined): string {
  if (who.staff.has('busops')) return 'Business Operations Role'
  if (who.staff.has('support') && !on?.isFNPLicenseGenerator) return 'Support Role'
  if (on && isAsc(on)) return '(Ansys Support Coordinator)'
  if (on && isPortalEdit(on)) return '(Portal Administrator Role)'
  if (on?.isFNPLicenseGenerator) return '(FNP License Generator)'
  if (on && isPortalView(on)) return '(Portal Viewer Role)'
  if (who.staff.has('sales')) return '(Sales Role)'
  if (on?.isSalesAccess) return '(Sales Access Role)'
  // The specification names no label for this staff role; without one the menu would show an empty line.
  if (who.staff.has('admin')) return 'Administrator Role'
  return ''
}
