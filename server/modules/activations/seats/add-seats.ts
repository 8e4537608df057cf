import type { createFulfillments as operation } from '#contract/activations/seats/change-seats.ts'
import { BusinessRefusal } from '#server/http/http-error.ts'
import { loadGroup } from '#server/modules/activations/hosts/group-members.ts'
import { readMachine, requireHost, toHostIdentity } from '#server/modules/activations/hosts/named-host.ts'
import { generateFile } from '#server/modules/activations/license-files/generate-license.ts'
import { createFulfillments } from '#server/modules/activations/seats/change-seats.ts'
import { authorOf } from '#server/modules/activations/step-author.ts'
import type { Call } from '#server/operations/route.ts'

const UNMANAGED =
  'This license server is shared with accounts that you do not manage. Change its seats on Manage Activations.'

type AddedSeats = { readonly serverId: string; readonly activationId: string; readonly seats: number }

/** Activates further seats on a license server of the account and generates its license file, all in one transaction. */
export async function addSeats(
  call: Omit<Call<typeof operation>, 'body'>,
  { serverId, activationId, seats }: AddedSeats,
): Promise<void> {
  const { actor, db, standing } = call
  const { customerNumber } = standing
  const machine = readMachine(serverId)
  const host = await requireHost(db, customerNumber, machine)
  // A file without the licenses of the others would end their use of the server.
  const group = await loadGroup(db, actor, customerNumber, machine)
  if (group.some(({ isManaged }) => !isManaged)) throw new BusinessRefusal('UNMANAGED_MEMBERS', UNMANAGED)
  const body = {
    customerNumber,
    ...toHostIdentity(host),
    portNumber: host.port,
    activations: [{ id: activationId, count: seats }],
  }
  await createFulfillments({ ...call, body })
  await generateFile(authorOf(call), host, { isBorrowable: undefined, isManaged: () => true })
}

/** The name of a license server of the account; refuses one that the account does not have. */
export async function requireHostName(
  { db, standing }: Pick<Call<typeof operation>, 'db' | 'standing'>,
  serverId: string,
): Promise<{ readonly serverId: string; readonly name: string }> {
  const host = await requireHost(db, standing.customerNumber, readMachine(serverId))
  return { serverId: host.host_id, name: toHostIdentity(host).serverName }
}
