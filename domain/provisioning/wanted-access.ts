import { ADMINISTRATOR, type ContactRole, SUPPORT_COORDINATOR, VIEWER } from '#domain/access/roles.ts'

/** The roles that a group can give. Support Coordinators are appointed by business operations alone. */
export const GIVEN_ROLES = [ADMINISTRATOR, VIEWER] as const
export type GivenRole = (typeof GIVEN_ROLES)[number]

/** What the members of a group get: a role, a web group, or nothing. */
export type Mapping = {
  readonly groupId: string
  readonly role: GivenRole | null
  readonly webGroupId: string | null
}

/** An active person from outside, with everything that decides on their access. */
export type Person = {
  readonly email: string
  readonly groupIds: readonly string[]
  /** What groups have given so far. */
  readonly givenRole: GivenRole | null
  readonly givenWebGroups: readonly string[]
  readonly role: ContactRole | null
  readonly webGroups: readonly string[]
}

/** How the access of a person changes. */
export type AccessChange = {
  readonly email: string
  /** Undefined: the role stays. Null: the person loses it. */
  readonly role: GivenRole | null | undefined
  readonly joins: readonly string[]
  readonly leaves: readonly string[]
  /** What is given by groups from now on. */
  readonly givenRole: GivenRole | null
  readonly givenWebGroups: readonly string[]
}

/**
 * What groups say is taken over, even where somebody gave it by hand before, and is taken away when they no longer say it. What no
 * group has ever said stays as it is.
 */
export function accessChange(person: Person, mapping: ReadonlyMap<string, Mapping>): AccessChange {
  const { email, groupIds, givenWebGroups, webGroups } = person
  const mapped = groupIds.flatMap((id) => mapping.get(id) ?? [])
  const wanted = [...new Set(mapped.flatMap(({ webGroupId }) => webGroupId ?? []))].sort()
  return {
    email,
    ...roleChange(
      person,
      mapped.map(({ role }) => role),
    ),
    joins: wanted.filter((id) => !webGroups.includes(id)),
    leaves: givenWebGroups.filter((id) => !wanted.includes(id) && webGroups.includes(id)),
    givenWebGroups: wanted,
  }
}

/** The highest role of all groups counts. */
function roleChange(
  { role, givenRole }: Person,
  mapped: readonly (GivenRole | null)[],
): Pick<AccessChange, 'role' | 'givenRole'> {
  if (role === SUPPORT_COORDINATOR) return { role: undefined, givenRole: null }
  const wanted = GIVEN_ROLES.find((one) => mapped.includes(one)) ?? null
  if (wanted !== null) return { role: wanted === role ? undefined : wanted, givenRole: wanted }
  return { role: givenRole !== null && role !== null ? null : undefined, givenRole: null }
}
