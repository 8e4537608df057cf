import type { SeatChange } from '#domain/activations/seats/seat-changes.ts'
import { countOf, countText } from '#web/lib/format.ts'

/** What a save does: "Activate 8 and deactivate 3 seats". */
export function saveText(changes: readonly Pick<SeatChange, 'kind' | 'count' | 'isTicked'>[]): string {
  const seatsTo = (wanted: SeatChange['kind']) =>
    changes.reduce((sum, { kind, count, isTicked }) => sum + (isTicked && kind === wanted ? count : 0), 0)
  const [added, removed] = [seatsTo('activate'), seatsTo('deactivate')]
  if (added > 0 && removed > 0) return `Activate ${countText(added)} and deactivate ${countOf(removed, 'seat')}`
  if (added > 0) return `Activate ${countOf(added, 'seat')}`
  return removed > 0 ? `Deactivate ${countOf(removed, 'seat')}` : 'Save changes'
}
