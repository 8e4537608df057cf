import { type ContactRole, isStaffRole, type StaffRole } from '#domain/access/roles.ts'

/** The caller: a signed-in person with their staff roles. */
export type Actor = {
  readonly email: string
  readonly staff: ReadonlySet<StaffRole>
  /**
   * A token acts for its owner on one account, and so does a person who signed in through the provider of an account. Their
   * other accounts do not exist for them.
   */
  readonly onlyOn?: string
  /** The identity provider of an account, which is no person. It always has `onlyOn`. */
  readonly isProvider?: true
  /** Whose own sign-in provider this person has to use, and has not used. */
  readonly notOn?: string
  readonly byToken?: true
}

/** The rights of a person on one account, together with what the account itself allows. */
export type Standing = {
  readonly customerNumber: string
  readonly contactRole: ContactRole | null
  readonly isSalesAccess: boolean
  readonly isFNPLicenseGenerator: boolean
  readonly isAccessDisabled: boolean
  readonly exportControlStatus: string
  readonly orgType: OrgType
  readonly holdings: Holdings
}

export const ORG_TYPES = ['Undefined', 'Direct', 'Channel', 'Indirect'] as const
export type OrgType = (typeof ORG_TYPES)[number]

/** Which kinds of deployed entitlements an account holds, expired ones included. */
export type Holdings = {
  readonly elastic: number
  readonly ssl: boolean
  readonly fsa: boolean
  readonly sharedWeb: boolean
  readonly namedUser: boolean
}

/** Unknown roles give no rights. */
export function actor(email: string, roles: readonly string[]): Actor {
  return { email, staff: new Set(roles.filter(isStaffRole)) }
}

/** Whether how they signed in leaves an account open, whatever their rights on it are. */
export function isWithinReach({ onlyOn, notOn }: Actor, customerNumber: string): boolean {
  return notOn !== customerNumber && (onlyOn === undefined || onlyOn === customerNumber)
}

export function isStaff(who: Actor): boolean {
  return who.staff.size > 0
}
