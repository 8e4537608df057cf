import type { HostIdentity } from '#domain/activations/hosts/host.ts'
import type { CalendarDay } from '#domain/calendar/calendar-day.ts'
import type { FulfillmentAction } from '#domain/entitlements/fulfillment.ts'

/** `isListed`: the host was not deleted. */
export type OtherHost = HostIdentity & { readonly isListed: boolean }

/** A ledger row of a host: positive counts activate, negative ones return. */
export type HistoryEntry = {
  readonly time: Date
  readonly modifiedBy?: string | null
  readonly action?: FulfillmentAction | null
  readonly activationId: string
  readonly product: string
  readonly count: number
  readonly startDate: CalendarDay
  readonly endDate: string
  /** Where the seats of a rehost went to, or came from. */
  readonly otherHost?: OtherHost | undefined
  /** Why the seats were taken back, if that was a forced return. */
  readonly reason?: string | undefined
  /** Matches the filter, or the filter is empty. */
  readonly isFound?: boolean
}

export type HistoryRow = Omit<HistoryEntry, 'modifiedBy' | 'action' | 'isFound'> & {
  readonly modifiedBy: string
  readonly action: FulfillmentAction
  readonly isFound: boolean
}

/** Changes made in one go: when they began, who took part, and the net count per entitlement, person and action. */
export type HistoryGroup = {
  readonly time: Date
  readonly modifiedBy: readonly string[]
  readonly actions: readonly FulfillmentAction[]
  readonly rows: readonly HistoryRow[]
}

/** Action labels. */
export const ACTION_WORDS: Readonly<Record<FulfillmentAction, string>> = {
  EDIT: 'Changed',
  REHOST: 'Rehosted',
  DEACTIVATE: 'Deactivated',
}

const MAX_GAP = 30_000
export const DEFAULT_MODIFIER = 'Automated Action'
const DEFAULT_ACTION = 'EDIT'

/** Newest group first. Counts are those of the whole group; a row is shown if one of its entries was found. */
export function historyGroups(entries: readonly HistoryEntry[]): HistoryGroup[] {
  return historyRuns(entries)
    .map(group)
    .filter(({ rows }) => rows.length > 0)
    .reverse()
}

/** Entries in the order of time. A run ends where the next entry is more than 30 seconds later. */
export function historyRuns(entries: readonly HistoryEntry[]): HistoryRow[][] {
  const runs: HistoryRow[][] = []
  for (const row of [...entries].sort((one, other) => one.time.getTime() - other.time.getTime()).map(withDefaults)) {
    const run = runs.at(-1)
    const previous = run?.at(-1)
    if (run && previous && row.time.getTime() - previous.time.getTime() <= MAX_GAP) run.push(row)
    else runs.push([row])
  }
  return runs
}

function withDefaults(entry: HistoryEntry): HistoryRow {
  return {
    ...entry,
    modifiedBy: entry.modifiedBy || DEFAULT_MODIFIER,
    action: entry.action ?? DEFAULT_ACTION,
    isFound: entry.isFound ?? true,
  }
}

function group(run: readonly HistoryRow[]): HistoryGroup {
  const rows = new Map<string, HistoryRow>()
  for (const row of run) {
    const key = JSON.stringify([row.activationId, row.modifiedBy, row.action])
    const first = rows.get(key)
    rows.set(key, first ? { ...first, count: first.count + row.count, isFound: first.isFound || row.isFound } : row)
  }
  return {
    time: run[0]!.time,
    modifiedBy: [...new Set(run.map(({ modifiedBy }) => modifiedBy))],
    actions: [...new Set(run.map(({ action }) => action))],
    rows: [...rows.values()].filter(({ isFound }) => isFound),
  }
}
