import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { accessList, type DecidedEntry, reviewList } from '#contract/access-review/access-review.ts'
import type { WireRow } from '#contract/kit/list.ts'
import { type Act, MAX_DECIDED } from '#domain/access-review/decision.ts'
import { FOR_A_FORM } from '#web/form/for-a-form.ts'
import { call } from '#web/lib/api/api-client.ts'
import { BatchError } from '#web/lib/api/api-error.ts'
import { query } from '#web/lib/api/api-query.ts'
import { sourceOf } from '#web/table/list/declared-list.ts'

export type AccessRow = WireRow<typeof accessList.fields>
export type FinishedReview = WireRow<typeof reviewList.fields>

const LISTS = 'access-review-lists'

/** The entries of a review; without one, what has access now. */
export const accessSource = (customerNumber: string, reviewId: string | undefined) =>
  sourceOf(
    accessList,
    { customerNumber, ...(reviewId === undefined ? {} : { reviewId }) },
    { key: [LISTS, customerNumber, reviewId ?? 'now'] },
  )

export const finishedSource = (customerNumber: string) =>
  sourceOf(reviewList, { customerNumber }, { key: [LISTS, customerNumber, 'finished'] })

export const stateQuery = (customerNumber: string) => query('access-review/state', { body: { customerNumber } })

/** The same answer for the form, which is not loaded again while somebody types. */
export const settingsQuery = (customerNumber: string) =>
  queryOptions({
    queryKey: ['access-review/settings', customerNumber],
    queryFn: async ({ signal }) => (await call('access-review/state', { body: { customerNumber }, signal })).settings,
    ...FOR_A_FORM,
  })

/** Loads again what opening, deciding and finishing change: the lists, the state, and the line on Home. */
export async function reloadReviews(queries: QueryClient): Promise<void> {
  await Promise.all([
    queries.invalidateQueries({ queryKey: [LISTS] }),
    queries.invalidateQueries({ queryKey: ['access-review/state'] }),
    queries.invalidateQueries({ queryKey: ['home'] }),
  ])
}

/** What is decided on: a row as the person has seen it. */
export type Decidable = Pick<AccessRow, 'id' | 'revision'>
export type Deciding = {
  readonly reviewId: string
  readonly act: Act
  readonly reason: string
  readonly withEverything?: boolean
  readonly entries: readonly Decidable[]
}
/** Whether a person has the access; the id begins with its kind. */
export const isOfSomebody = ({ id }: Pick<Decidable, 'id'>): boolean => /^(contact|web-user|grant):/.test(id)

type Outcome = Pick<DecidedEntry, 'status' | 'err' | 'name'>

/** Decides in pieces that the portal takes at once. Each entry has its own outcome, also where a whole piece was refused. */
export async function decide(customerNumber: string, deciding: Deciding, key: string): Promise<Outcome[]> {
  const { entries, ...decision } = deciding
  const outcomes: Outcome[] = []
  for (let from = 0; from < entries.length; from += MAX_DECIDED) {
    const piece = entries.slice(from, from + MAX_DECIDED).map(({ id, revision }) => ({ id, revision }))
    const body = { customerNumber, ...decision, entries: piece }
    const lines = await call('access-review/decide', { body, idempotencyKey: `${key}-${from}` }).catch(
      (error: unknown) => {
        if (!(error instanceof BatchError) || entries.length === 1) throw error
        // The lines of a refused piece have all that those of others have.
        return error.lines as unknown as Outcome[]
      },
    )
    outcomes.push(...lines)
  }
  return outcomes
}
