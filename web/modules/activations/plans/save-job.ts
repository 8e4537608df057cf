import { licenseMail } from '#domain/activations/license-files/license-mail.ts'
import type { SeatChange } from '#domain/activations/seats/seat-changes.ts'
import { seatGoals } from '#domain/activations/seats/seat-goal.ts'
import { serverTime } from '#web/lib/server-time.ts'
import type { ServerHost } from '#web/modules/activations/activations.api.ts'
import type { SaveJob } from '#web/modules/activations/plans/save-flow.ts'

export type SaveButtonKind = 'generate' | 'email'

type Options = {
  button: SaveButtonKind
  host: ServerHost
  /** Customers with an open tab that export compliance approves, the selected one first. */
  customers: readonly { readonly customerNumber: string; readonly customerName: string }[]
  changes: readonly SeatChange[]
  isBorrowable: boolean
  support: { readonly supportEmail: string; readonly isSslAllowed: boolean }
}

/** The save that a click on Generate or Email starts. */
export function createSaveJob({ button, host, customers, changes, isBorrowable, support }: Options): SaveJob {
  const { serverName, serverId, serverIdType, portNumber } = host
  return {
    saveId: randomId(),
    startedAt: serverTime().toISOString(),
    request: {
      host: { serverName, serverId, serverIdType },
      goals: seatGoals(customers, changes),
      mail: licenseMail(button, support),
    },
    productNames: Object.fromEntries(changes.map(({ activationid, ansysproduct }) => [activationid, ansysproduct])),
    isBorrowable,
    portNumber,
    isNewHost: host.isNew,
  }
}

/** `crypto.randomUUID` is missing where the portal is served without TLS. */
function randomId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
