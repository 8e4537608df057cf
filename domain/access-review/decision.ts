import type { Decision as Right } from '#domain/access/can.ts'
import { type Access, isOfPerson } from '#domain/access-review/access.ts'

/** `gone`: it had ended already, so there was nothing to take away. */
export const DECISIONS = ['open', 'kept', 'taken-away', 'gone'] as const
export type Decision = (typeof DECISIONS)[number]

export const DECISION_TEXTS: Readonly<Record<Decision, string>> = {
  open: 'Not decided',
  kept: 'Kept',
  'taken-away': 'Taken away',
  gone: 'Gone already',
}

export const ACTS = ['keep', 'take-away'] as const
export type Act = (typeof ACTS)[number]

export const MAX_REASON = 500
/** Entries that one call decides on. */
export const MAX_DECIDED = 1000

export const REASON_REQUIRED = 'Say why the access is taken away.'
export const MANAGED = 'Your identity provider manages this person and would give the access again. Take it away there.'
export const ONLY_STAFF_GRANTS = 'Only Business Operations gives and takes away grants.'
export const OWN_ACCESS = 'Nobody takes away their own access. Ask another administrator.'

/** What has ended stays as it is; what was kept can be taken away until the review is finished. */
export const isDecidable = (decision: Decision): boolean => decision === 'open' || decision === 'kept'

/** Why somebody may not take away an access; undefined: they may. Whether an administrator is left is asked for contacts in addition. */
export function refusalOfTaking(
  access: Pick<Access, 'kind' | 'holder'>,
  by: { readonly email: string; readonly mayChangeGrants: Right; readonly isManaged: boolean },
): { readonly code: 'OWN_ACCESS' | 'NOT_ALLOWED'; readonly err: string } | undefined {
  if (isOfPerson(access.kind) && access.holder === by.email) return { code: 'OWN_ACCESS', err: OWN_ACCESS }
  if (by.isManaged) return { code: 'NOT_ALLOWED', err: MANAGED }
  if (access.kind === 'grant' && !by.mayChangeGrants.allowed) return { code: 'NOT_ALLOWED', err: ONLY_STAFF_GRANTS }
  return undefined
}

export type Progress = Readonly<Record<Decision, number>>

/** "3 kept, 1 taken away, 2 not decided" */
export function progressText(progress: Progress): string {
  const parts = (['kept', 'taken-away', 'gone', 'open'] as const).flatMap((decision) =>
    progress[decision] > 0
      ? [`${progress[decision].toLocaleString('en-US')} ${DECISION_TEXTS[decision].toLowerCase()}`]
      : [],
  )
  return parts.length > 0 ? parts.join(', ') : 'nothing to decide'
}
