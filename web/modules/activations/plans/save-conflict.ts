import type { Difference, Side } from '#web/form/versions.ts'
import { countOf } from '#web/lib/format.ts'
import type { SaveJob } from '#web/modules/activations/plans/save-job.ts'
import type { SaveVersions } from '#web/modules/activations/plans/use-save-flow.ts'

const NONE = 'Not activated'
const idOf = (customerNumber: string, activationId: string) => `${customerNumber} ${activationId}`

/** The products of which the two versions have different seats. */
export function seatDifferences({ current, yours }: SaveVersions): Difference[] {
  const rows = new Map<string, { label: string; theirs?: number; yours?: number }>()
  for (const [side, { customers }] of [['theirs', current] as const, ['yours', yours] as const])
    for (const { customerNumber, seats } of customers)
      for (const one of seats) {
        const id = idOf(customerNumber, one.id)
        const whose = customers.length > 1 ? `${customerNumber}: ` : ''
        const label = `${whose}${one.ansysproduct} (${one.id})`
        rows.set(id, { label, ...rows.get(id), [side]: one.seats })
      }
  const text = (seats: number | undefined) => (seats === undefined ? NONE : countOf(seats, 'seat'))
  return [...rows]
    .filter(([, row]) => row.theirs !== row.yours)
    .map(([id, row]) => ({
      id,
      label: row.label,
      theirs: text(row.theirs),
      yours: text(row.yours),
      suggested: 'yours',
    }))
}

/** The save over the current version, of what the person keeps of it. Undefined if that is nothing. */
export function jobOver(job: SaveJob, { current }: SaveVersions, choose: (id: string) => Side): SaveJob | undefined {
  const isKept = (customerNumber: string, activationId: string) =>
    choose(idOf(customerNumber, activationId)) === 'yours'
  const changes = job.changes.filter((one) => isKept(one.customerNumber, one.activationid))
  if (changes.length === 0) return undefined
  const goals = job.request.goals.map((goal) => ({
    ...goal,
    returned: goal.returned.filter(({ activationId }) => isKept(goal.customerNumber, activationId)),
    wanted: goal.wanted.filter(({ activationId }) => isKept(goal.customerNumber, activationId)),
  }))
  const bases = Object.fromEntries(current.customers.map(({ customerNumber, basis = '' }) => [customerNumber, basis]))
  return { ...job, request: { ...job.request, goals }, changes, bases }
}

/** Who shares the license server in the two versions, if that differs. */
export function sharingText({ current, yours }: SaveVersions): string | undefined {
  if (current.sharedBy.join() === yours.sharedBy.join()) return undefined
  return `The license server is of ${current.sharedBy.join(', ')} now. After your save it is of ${yours.sharedBy.join(', ')}.`
}
