import type { CalendarDay } from '#domain/calendar/calendar-day.ts'
import { isContractActive } from '#domain/entitlements/activity.ts'
import type { Term } from '#domain/entitlements/term.ts'

/** What people other than business operations see instead of manual entries, so that the numbers add up. */
export const ADJUSTMENTS = 'Adjustments by Business Operations'

const FSA_SUBTYPE = 'FSA'

/** The fields of an entitlement that say what it is to a spending account. */
export type FsaEntry = {
  readonly subtype: string
  /** The contract that it was ordered from. */
  readonly fsaId: string | null
  readonly isManual: boolean
}

/** A contract holds the balance; an order draws on it and can be activated; a manual entry only draws on it. */
export type EntryKind = 'contract' | 'order' | 'manual' | 'other'

export function entryKind({ subtype, fsaId, isManual }: FsaEntry): EntryKind {
  if (subtype !== FSA_SUBTYPE) return 'other'
  if (fsaId === null || fsaId === '') return 'contract'
  return isManual ? 'manual' : 'order'
}

/** Which of the two tables a contract is in. One that has not started can be ordered from; one that is used up cannot. */
export function isFsaActive(term: Term, spentPercentage: number, today: CalendarDay): boolean {
  return isContractActive(term, today) && spentPercentage !== 100
}
