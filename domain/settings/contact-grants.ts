import { can } from '#domain/access/can.ts'
import { SUPPORT_COORDINATOR, VIEWER } from '#domain/access/roles.ts'
import type { Actor, Standing } from '#domain/access/standing.ts'
import { type Contact, contactChanges } from '#domain/settings/contacts.ts'

export const ONLY_BUSINESS_OPERATIONS = 'Only Business Operations can grant or remove the Support Coordinator role.'
export const LAST_ADMINISTRATOR =
  'The last Administrator or Support Coordinator of an account cannot be removed. Add another one first.'

export type GrantRefusal =
  | { readonly kind: 'too few rights'; readonly reason: string }
  | { readonly kind: 'against the rules'; readonly reason: string }

/** Whether somebody who may write contacts may turn one list of them into another; undefined means yes. */
export function refusalOfChange(
  who: Actor,
  on: Standing,
  before: readonly Contact[],
  after: readonly Contact[],
): GrantRefusal | undefined {
  const { added, removed, changed } = contactChanges(before, after)
  const touched = [...added, ...removed, ...changed.flatMap((change) => [change.before, change.after])]
  if (touched.some(isCoordinator) && !can(who, 'contacts.grant-coordinator', on).allowed)
    return { kind: 'too few rights', reason: ONLY_BUSINESS_OPERATIONS }
  if (before.some(isInCharge) && !after.some(isInCharge) && !who.staff.has('busops'))
    return { kind: 'against the rules', reason: LAST_ADMINISTRATOR }
  return undefined
}

const isCoordinator = ({ role }: Contact) => role === SUPPORT_COORDINATOR
/** Viewers cannot give anybody access; without one of the others an account could no longer help itself. */
const isInCharge = ({ role }: Contact) => role !== VIEWER
