import type { HostPlan } from '#contract/activations/plans/plan-fields.ts'
import type { HostIdentity } from '#domain/activations/hosts/host.ts'
import type { SeatChange } from '#domain/activations/seats/seat-changes.ts'
import { nameOf } from '#web/modules/activations/plans/plan-names.ts'
import { productSeatsText } from '#web/modules/activations/seats/seat-texts.ts'

type CountedChange = Pick<SeatChange, 'kind' | 'customerNumber' | 'activationid' | 'count' | 'isTicked'> & {
  readonly server?: { readonly serverId: string }
}

/** Planned changes as they were done: what was not done is not ticked. */
export function doneChanges<C extends CountedChange>(planned: readonly C[], done: HostPlan['changes'] = []): C[] {
  const left = done.map((one) => ({ ...one }))
  return planned.map((one) => {
    const { kind, customerNumber, activationid, server } = one
    let count = 0
    for (const part of left) {
      const isMeant =
        part.kind === kind &&
        part.customerNumber === customerNumber &&
        part.activationid === activationid &&
        part.serverId === (server?.serverId ?? part.serverId)
      const taken = isMeant && one.isTicked ? Math.min(part.count, one.count - count) : 0
      part.count -= taken
      count += taken
    }
    return count > 0 ? { ...one, count } : { ...one, isTicked: false }
  })
}

/** What a save has done: "Activated 5 seats of Acoustics Response on lic-01." Empty if it has changed no seats. */
export function savedText(changes: readonly SeatChange[], host: HostIdentity): string {
  const sentence = (kind: SeatChange['kind'], did: string) => {
    const own = changes.filter((change) => change.isTicked && change.kind === kind)
    return own.length === 0 ? [] : [`${did} ${productSeatsText(own)} on ${nameOf(host)}.`]
  }
  return [...sentence('deactivate', 'Deactivated'), ...sentence('activate', 'Activated')].join(' ')
}
