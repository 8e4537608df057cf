const MINUTE = 60_000
/** Roles that an identity provider vouches for are requested again after this time … */
export const RENEW_AFTER = 10 * MINUTE
/** … and not relied on after this time. The minutes between them bridge a short outage of the provider. */
const RELIED_ON_FOR = 15 * MINUTE

/** `due`: request them again, and go on meanwhile. `stale`: they do not count until the provider confirms them. */
export type ClaimRolesState = 'fresh' | 'due' | 'stale'

/** Never checked again means that the provider does not allow it: such roles last as long as the session. */
export function claimRolesState(roles: readonly string[], checkedAt: Date | null, now: Date): ClaimRolesState {
  const age = checkedAt === null ? 0 : now.getTime() - checkedAt.getTime()
  if (age < RENEW_AFTER) return 'fresh'
  return age < RELIED_ON_FOR || roles.length === 0 ? 'due' : 'stale'
}
