import type { Transaction } from 'kysely'
import { licenseFileReason } from '#domain/activations/license-files/out-of-date.ts'
import { noDaemonsError } from '#domain/activations/seats/activation-error.ts'
import type { CalendarDay } from '#domain/calendar/calendar-day.ts'
import type { DB } from '#server/db/schema.ts'
import { BusinessRefusal } from '#server/http/http-error.ts'
import type { HostRow } from '#server/modules/activations/hosts/hosts.queries.ts'
import { composeFile } from '#server/modules/activations/license-files/compose-file.ts'
import { toHostIdentity } from '#server/modules/activations/license-files/license-file.mapping.ts'
import {
  type CustomerSeats,
  findLastFile,
  insertLicenseFile,
  type LicenseFileRow,
  loadSeats,
} from '#server/modules/activations/license-files/license-files.queries.ts'
import type { Signer } from '#server/modules/activations/license-files/signing-keys.ts'
import type { CustomerDay } from '#server/modules/activations/seats/seats.queries.ts'
import type { StepAuthor } from '#server/modules/activations/step-author.ts'

type FileRequest = {
  readonly host: HostRow
  /** Whose licenses are in the file; the first is the customer whose host it is. */
  readonly customers: readonly CustomerDay[]
  /** Everybody who shares the server, also those who are not in the file. */
  readonly group: readonly string[]
}

/** The customer has no licenses on the host. */
export class NoLicenses extends BusinessRefusal {
  /** Other customers of the same file have some. */
  readonly haveOthers: boolean
  constructor(host: HostRow, haveOthers: boolean) {
    super('NO_LICENSES', noDaemonsError(host.host_id))
    this.haveOthers = haveOthers
  }
}

/** Generates the license file of a host from its seats, and keeps it. */
export async function keepLicenseFile(
  { db, now, email, audit }: StepAuthor,
  { host, customers, group }: FileRequest,
  signer: Signer,
): Promise<{ row: LicenseFileRow; textByDaemon: Record<string, string> }> {
  const machine = { hostIdType: host.host_id_type, machineId: host.machine_id }
  const everyone = [...new Set([host.customer_number, ...group])].sort()
  const seats = await loadSeats(db, everyone, machine)
  const isInFile = new Set(customers.map(({ customerNumber }) => customerNumber))
  const composed = composeFile(
    {
      host: { ...toHostIdentity(host), port: host.port },
      isBorrowable: host.is_borrowable,
      customers,
      activations: seats
        .filter(({ customer_number }) => isInFile.has(customer_number))
        .flatMap(({ activations }) => activations),
    },
    signer,
  )
  if (composed.ownText === undefined) throw new NoLicenses(host, composed.sharedText !== undefined)
  const madeFrom = seats.map(madeFromText).join(',')
  const row = await insertLicenseFile(db, {
    customer_number: host.customer_number,
    host_id_type: host.host_id_type,
    host_id: host.host_id,
    generated_at: now,
    generated_by: email,
    reason: await findReason(db, host, madeFrom, composed.issuedOn),
    issued_on: composed.issuedOn,
    own_text: composed.ownText,
    shared_text: composed.sharedText ?? null,
    customers: customers.map(({ customerNumber }) => customerNumber),
    made_from: madeFrom,
    first_end: composed.firstEnd,
    key_id: signer.keyId,
  })
  const after = { id: row.file_id, customers: row.customers, keyId: row.key_id, isBorrowable: host.is_borrowable }
  await audit({ customerNumber: host.customer_number, target: host.host_id, after })
  return { row, textByDaemon: composed.textByDaemon }
}

/** Files from before changes were counted have the length of the ledger alone. */
const madeFromText = ({ customer_number, ledger_rows, license_changes, product_changes }: CustomerSeats) =>
  `${customer_number}:${ledger_rows}${license_changes > 0 ? `+${license_changes}` : ''}${product_changes > 0 ? `/${product_changes}` : ''}`

async function findReason(tx: Transaction<DB>, host: HostRow, madeFrom: string, today: CalendarDay) {
  const last = await findLastFile(tx, host)
  return licenseFileReason(last && { isChangedSince: last.made_from !== madeFrom, firstEnd: last.first_end }, today)
}
