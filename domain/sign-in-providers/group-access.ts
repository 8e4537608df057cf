import { GIVEN_ROLES, type GivenRole, type Mapping } from '#domain/provisioning/wanted-access.ts'

export const MAX_GROUP_RULES = 100
export const MAX_GROUP_NAME = 200

/** What the members of a group of the directory get; nothing where both are null. */
export type GroupRule = {
  /** The group as the claim names it: a name or an id, compared letter by letter. */
  readonly group: string
  readonly role: GivenRole | null
  readonly webGroupId: string | null
}

export const mappingOf = (rules: readonly GroupRule[]): ReadonlyMap<string, Mapping> =>
  new Map(rules.map(({ group, role, webGroupId }) => [group, { groupId: group, role, webGroupId }]))

/** The groups in a claim; undefined where the provider sent none, which says nothing about the person. */
export function groupsIn(claim: unknown): string[] | undefined {
  if (claim === undefined || claim === null) return undefined
  return [claim].flat().filter((one) => typeof one === 'string')
}

/** The role that somebody in these groups gets: the highest of all. */
export function roleOfGroups(groups: readonly string[], rules: readonly GroupRule[]): GivenRole | null {
  const roles = rules.filter(({ group }) => groups.includes(group)).map(({ role }) => role)
  return GIVEN_ROLES.find((role) => roles.includes(role)) ?? null
}
