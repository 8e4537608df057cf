import { createHash } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { HeldVersion } from '#contract/activations/plans/plan-fields.ts'
import { seatsOf } from '#domain/activations/seats/activation-row.ts'
import type { DB } from '#server/db/schema.ts'
import { ConflictError } from '#server/http/http-error.ts'
import type { Machine } from '#server/modules/activations/hosts/hosts.queries.ts'
import { readHost } from '#server/modules/activations/hosts/named-host.ts'
import { listMembers } from '#server/modules/activations/hosts/shared-server.queries.ts'
import { loadUnseated } from '#server/modules/activations/license-files/license-files.queries.ts'
import type { SaveCall, SaveDraft } from '#server/modules/activations/plans/draft-save.ts'
import { type Holding, loadHoldings, toPlanCustomer } from '#server/modules/activations/plans/plan-draft.ts'
import { findHeldText } from '#server/modules/activations/seats/seats.queries.ts'

const CHANGED = 'Somebody else has changed this license server in the meantime.'

/** What a save is made from: the seats of a customer on a license server, and who shares it. Equal if nothing has changed. */
export async function findSaveBasis(db: Kysely<DB>, customerNumber: string, machine: Machine): Promise<string> {
  const members = await listMembers(db, customerNumber, machine)
  const held = await findHeldText(db, customerNumber, machine)
  return createHash('sha256')
    .update(JSON.stringify([members, held]))
    .digest('hex')
    .slice(0, 32)
}

/** Refuses a save that was made from other seats than those on the license server, with both versions. */
export async function refuseOtherBasis(call: SaveCall, { members }: SaveDraft): Promise<void> {
  const { body, db, now, standing } = call
  if (body.customers.every(({ basis }) => basis === undefined)) return
  const machine = readHost(body)
  const bases = new Map<string, string>()
  for (const { customerNumber } of body.customers)
    bases.set(customerNumber, await findSaveBasis(db, customerNumber, machine))
  if (body.customers.every(({ customerNumber, basis }) => basis === undefined || basis === bases.get(customerNumber)))
    return
  const customers = members.map((one) => toPlanCustomer(one, now))
  const holdings = await loadHoldings(db, customers, machine)
  const current: HeldVersion['customers'][number][] = []
  const yours: HeldVersion['customers'][number][] = []
  for (const wanted of body.customers) {
    const { customerNumber } = wanted
    const held = holdings.filter((one) => one.customerNumber === customerNumber)
    const names = await loadNames(db, customerNumber, held, wanted)
    const named = (seats: ReadonlyMap<string, number>) =>
      [...seats].map(([id, count]) => ({ id, ansysproduct: names.get(id) ?? id, seats: count }))
    const now = new Map(held.map((one) => [one.ActivationId, seatsOf(one.AnsysFulfillments)]))
    current.push({ customerNumber, seats: named(now), basis: bases.get(customerNumber) ?? '' })
    yours.push({ customerNumber, seats: named(seatsAfter(held, wanted)) })
  }
  const numbers = body.customers.map(({ customerNumber }) => customerNumber)
  const group = await listMembers(db, standing.customerNumber, machine)
  const versions: Record<'current' | 'yours', HeldVersion> = {
    current: { sharedBy: group.length > 0 ? group : numbers.slice(0, 1), customers: current },
    yours: { sharedBy: numbers.toSorted(), customers: yours },
  }
  throw new ConflictError(CHANGED, versions)
}

type Wanted = SaveCall['body']['customers'][number]

/** Seats by activation id as the save wants them. */
function seatsAfter(held: readonly Holding[], { returned = [], wanted }: Wanted): Map<string, number> {
  const seats = new Map<string, number>()
  for (const { ActivationId, AnsysFulfillments } of held) {
    const staying = seatsOf(AnsysFulfillments.filter(({ FulfillmentID }) => !returned.includes(FulfillmentID)))
    if (staying > 0) seats.set(ActivationId, staying)
  }
  for (const { id, seats: count } of wanted) seats.set(id, Math.max(count, seats.get(id) ?? 0))
  return seats
}

/** Product names by activation id. */
async function loadNames(db: Kysely<DB>, customerNumber: string, held: readonly Holding[], { wanted }: Wanted) {
  const names = new Map(held.map((one) => [one.ActivationId, one.ProductName]))
  const others = wanted.map(({ id }) => id).filter((id) => !names.has(id))
  if (others.length > 0)
    for (const one of await loadUnseated(db, customerNumber, others)) names.set(one.activationId, one.product)
  return names
}
