import type { HostIdentity } from '#domain/activations/hosts/host.ts'
import { type SeatGoal, seatGoals } from '#domain/activations/plans/plan.ts'
import type { SeatChange } from '#domain/activations/seats/seat-changes.ts'
import { randomKey } from '#web/form/use-save.ts'
import type { Body } from '#web/lib/api/api-client.ts'
import type { ServerHost } from '#web/modules/activations/activations.api.ts'

export type SaveButtonKind = 'generate' | 'email'

/** What a click on Generate or Email is to save. */
export type SaveJob = {
  readonly saveId: string
  readonly request: { readonly host: HostIdentity; readonly goals: readonly SeatGoal[] }
  readonly isEmail: boolean
  /** Product names by activation id, to name the products that the server refuses. */
  readonly productNames: Readonly<Record<string, string>>
  readonly changes: readonly SeatChange[]
  /** By customer number: the seats that it was made from. */
  readonly bases: Readonly<Record<string, string>>
  /** Undefined: as it is. */
  readonly isBorrowable: boolean | undefined
  /** The port of a new host. */
  readonly portNumber: number
}

type Options = {
  button: SaveButtonKind
  host: ServerHost
  /** Customers with an open tab that export compliance approves, the selected one first. */
  customers: readonly { readonly customerNumber: string; readonly customerName: string }[]
  changes: readonly SeatChange[]
  bases?: SaveJob['bases']
  isBorrowable: boolean | undefined
}

export function createSaveJob({ button, host, customers, changes, bases = {}, isBorrowable }: Options): SaveJob {
  const { serverName, serverId, serverIdType, portNumber } = host
  return {
    saveId: randomKey(),
    request: { host: { serverName, serverId, serverIdType }, goals: seatGoals(customers, changes) },
    isEmail: button === 'email',
    productNames: Object.fromEntries(changes.map(({ activationid, ansysproduct }) => [activationid, ansysproduct])),
    changes,
    bases,
    isBorrowable,
    portNumber,
  }
}

export function toSaveBody({ request, isEmail, bases, isBorrowable, portNumber }: SaveJob): Body<'fulfillments/save'> {
  return {
    ...request.host,
    portNumber,
    ...(isBorrowable === undefined ? {} : { ansysborrowed: isBorrowable }),
    email: isEmail,
    customers: request.goals.map(({ customerNumber, returned, wanted }) => ({
      customerNumber,
      ...(bases[customerNumber] === undefined ? {} : { basis: bases[customerNumber] }),
      returned: returned.map(({ fulfillmentId }) => fulfillmentId),
      wanted: wanted.map(({ activationId, seats }) => ({ id: activationId, seats })),
    })),
  }
}
