import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { Act } from '#domain/access-review/decision.ts'
import { useSave } from '#web/form/use-save.ts'
import { hasCode } from '#web/lib/api/api-error.ts'
import { useKnownCustomer } from '#web/lib/customer.tsx'
import { countText } from '#web/lib/format.ts'
import { type Decidable, decide, isOfSomebody, reloadReviews } from '#web/modules/access-review/access-review.api.ts'
import { TakeAwayDialog } from '#web/modules/access-review/take-away.dialog.tsx'
import { showPanel } from '#web/ui/panels.ts'

const DONE: Readonly<Record<Act, string>> = { keep: 'kept', 'take-away': 'taken away' }
const NAMED = 5

const accesses = (count: number) => `${countText(count)} ${count === 1 ? 'access' : 'accesses'}`

type Deciding = {
  readonly act: Act
  readonly reason: string
  readonly withEverything?: boolean
  readonly entries: readonly Decidable[]
}

/** `name`: of a single one. */
type Asked = { readonly entries: readonly Decidable[]; readonly name: string | undefined }

type Decisions = {
  readonly isSaving: boolean
  keep(entries: readonly Decidable[]): void
  /** Asks for the reason first. */
  takeAway(entries: readonly Decidable[], name?: string): void
  readonly dialog: ReactNode
}

/** Keeps and takes away entries of a review, one or many, and says what became of them. */
export function useDecisions(reviewId: string, onDecided: () => void): Decisions {
  const { number } = useKnownCustomer()
  const queries = useQueryClient()
  const [asked, setAsked] = useState<Asked>()
  const { save, isSaving } = useSave({
    send: (deciding: Deciding, key) => decide(number, { reviewId, ...deciding }, key),
    success: () => undefined,
    notDone: ({ act }) => (act === 'keep' ? 'Nothing was kept.' : 'Nothing was taken away.'),
    async onSaved(outcomes, { act }) {
      const refused = outcomes.filter(({ status }) => status === 'FAILURE')
      const done = outcomes.length - refused.length
      setAsked(undefined)
      onDecided()
      await reloadReviews(queries)
      if (done > 0) showPanel('success', `${accesses(done)} ${DONE[act]}.`)
      if (refused.length > 0) {
        const named = refused.slice(0, NAMED).map(({ name, err }) => `${name}: ${err ?? ''}`)
        const rest = refused.length - NAMED
        const more = rest > 0 ? ` ${countText(rest)} more were refused.` : ''
        showPanel('error', `${accesses(refused.length)} not ${DONE[act]}. ${named.join(' ')}${more}`)
      }
    },
    onFailed(error) {
      setAsked(undefined)
      // Somebody else was faster: their decision is shown.
      if (hasCode(error, 'STALE', 'REVIEW_CLOSED', 'ALREADY_ENDED', 'NOT_FOUND')) void reloadReviews(queries)
      return false
    },
  })
  return {
    isSaving,
    keep: (entries) => save({ act: 'keep', reason: '', entries }),
    takeAway: (entries, name) => setAsked({ entries, name }),
    dialog: asked && (
      <TakeAwayDialog
        count={asked.entries.length}
        name={asked.name}
        isSaving={isSaving}
        hasPersons={asked.entries.some(isOfSomebody)}
        onTake={(reason, withEverything) => save({ act: 'take-away', reason, withEverything, entries: asked.entries })}
        onClose={() => setAsked(undefined)}
      />
    ),
  }
}
