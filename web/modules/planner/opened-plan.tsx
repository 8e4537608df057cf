import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useSearchParams } from 'react-router'
import type { SavedPlan } from '#contract/planner/planner.ts'
import { useKnownCustomer } from '#web/lib/customer.tsx'
import { timeText } from '#web/lib/format.ts'
import { plansQuery } from '#web/modules/planner/planner.api.ts'
import { SignalStrip } from '#web/ui/signal-strip.tsx'

/** A link to a plan opens it, once. Answers whether there is none. */
export function useLinkedPlan(open: (plan: SavedPlan) => void): boolean {
  const { number } = useKnownCustomer()
  const [search] = useSearchParams()
  const id = search.get('plan')
  const { data } = useQuery({ ...plansQuery(number), enabled: id !== null })
  const linked = data?.find((plan) => plan.id === id)
  useEffect(() => {
    if (linked) open(linked)
  }, [linked, open])
  return data !== undefined && id !== null && !linked
}

/** Which plan the table shows. Closing it keeps the seats, for another plan. */
export function OpenedPlan({ plan, onClose }: { plan: SavedPlan; onClose(): void }) {
  return (
    <SignalStrip signal="blue" role="status" closeLabel="Close the plan" onClose={onClose}>
      {plan.name}, saved by {plan.savedBy} on {timeText(plan.savedAt)}. The days are those of the plan, prices those of
      today.
    </SignalStrip>
  )
}
