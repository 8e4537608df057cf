import { ACCESS_DISABLED, can } from '#domain/access/can.ts'
import type { Actor, Standing } from '#domain/access/standing.ts'

/** Why screens are missing on this account, in words for Home. */
export function accountLimits(who: Actor, on: Standing): string[] {
  return [
    ...(can(who, 'contacts.read', on).allowed ? [] : [`${ACCESS_DISABLED} Please contact support to enable it.`]),
    ...(['Direct', 'Channel'].includes(on.orgType)
      ? []
      : ['Emails are available for direct and channel customers only.']),
    // Home has a separate text for an account without any licenses.
    ...(on.holdings.elastic > 0 || !Object.values(on.holdings).some(Boolean)
      ? []
      : ['This account has no elastic licenses.']),
  ]
}
