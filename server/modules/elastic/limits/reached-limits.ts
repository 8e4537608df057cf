import type { Kysely } from 'kysely'
import { isAtAmount } from '#domain/elastic/limits/decide-start.ts'
import { namedSubject, PERIOD_LABELS, subjectText } from '#domain/elastic/limits/limit.ts'
import type { DB } from '#server/db/schema.ts'
import { type At, loadUsedLimits } from '#server/modules/elastic/limits/limit-use.ts'
import { listLimits } from '#server/modules/elastic/limits/limits.queries.ts'

export type ReachedSubject = { readonly isReached: boolean; readonly subject: string }

/** Subjects that have used all of a limit or have come to where it warns, each once in a period. */
export async function listReachedLimits(
  db: Kysely<DB>,
  customerNumber: string,
  at: Pick<At, 'today' | 'now'>,
): Promise<ReachedSubject[]> {
  const limits = await listLimits(db, customerNumber)
  const used = await loadUsedLimits(db, customerNumber, limits, at)
  const told = used.flatMap(({ limit, uses }) =>
    uses
      .filter((use) => isAtAmount(limit.refuseAt, use) || isAtAmount(limit.warnAt, use))
      .map((use) => ({
        isReached: isAtAmount(limit.refuseAt, use),
        subject: `${subjectText(namedSubject(limit, use))} (${PERIOD_LABELS[limit.period]})`,
      })),
  )
  const subjects = Map.groupBy(told, ({ subject }) => subject)
  return [...subjects].map(([subject, own]) => ({ subject, isReached: own.some(({ isReached }) => isReached) }))
}
