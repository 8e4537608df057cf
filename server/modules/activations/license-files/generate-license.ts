import type { Transaction } from 'kysely'
import type { generateLicense as operation } from '#contract/activations/license-files/license-files.ts'
import { can, EXPORT_DENIED, isExportApproved } from '#domain/access/can.ts'
import type { HostIdentity } from '#domain/activations/hosts/host.ts'
import { licenseFileReason } from '#domain/activations/license-files/license-file.ts'
import {
  type LicensedActivation,
  type LicenseIssue,
  licenseText,
  licenseTextByDaemon,
} from '#domain/activations/license-files/license-text.ts'
import { noDaemonsError } from '#domain/activations/seats/activation-error.ts'
import { type CalendarDay, dayIn } from '#domain/calendar/calendar-day.ts'
import type { DB } from '#server/db/schema.ts'
import { BusinessRefusal } from '#server/http/http-error.ts'
import { findStandings, type KnownAccount } from '#server/modules/accounts/accounts.public.ts'
import { type HostRow, saveBorrowable } from '#server/modules/activations/hosts/hosts.queries.ts'
import { readHost, requireHost, toHostIdentity, toNamedHost } from '#server/modules/activations/hosts/named-host.ts'
import { listMembers } from '#server/modules/activations/hosts/shared-server.queries.ts'
import {
  type CustomerSeats,
  findLastFile,
  findLastIssued,
  insertLicenseFile,
  type LicenseFileRow,
  loadSeats,
  type SeatedActivation,
} from '#server/modules/activations/license-files/license-files.queries.ts'
import { toVisibleFile } from '#server/modules/activations/license-files/read-license-files.ts'
import { loadSigner, type Signer } from '#server/modules/activations/license-files/signing-keys.ts'
import { toHost } from '#server/modules/activations/seats/seat-events.ts'
import type { CustomerDay } from '#server/modules/activations/seats/seats.queries.ts'
import { authorOf, type StepAuthor } from '#server/modules/activations/step-author.ts'
import { writeEvents } from '#server/modules/webhooks/webhooks.public.ts'
import type { Call, Result } from '#server/operations/route.ts'

export async function generateLicense(call: Call<typeof operation>): Promise<Result<typeof operation>> {
  const { actor, body, db, standing } = call
  const host = await requireHost(db, standing.customerNumber, readHost(body))
  const { row, textByDaemon, accounts } = await generateFile(authorOf(call), host, {
    isBorrowable: body.ansysborrowed,
    isManaged: (account) => can(actor, 'activations.write', account.standing).allowed,
  })
  const { file } = toVisibleFile(row, actor, accounts)
  return { data: file, licenseText: textByDaemon, licenseFileName: file.licenseFileName }
}

type GenerateOptions = {
  /** Unchanged if it is undefined. */
  readonly isBorrowable: boolean | undefined
  /** Whether the person may change the activations of a customer that shares the host. */
  isManaged(account: KnownAccount): boolean
}

/**
 * Generates the license file of a host, for a call or for a step of a plan. Leaves out customers that the person does
 * not manage or that export compliance denies.
 */
export async function generateFile(author: StepAuthor, known: HostRow, { isBorrowable, isManaged }: GenerateOptions) {
  const { db, email, now, services } = author
  const host = { ...known, is_borrowable: isBorrowable ?? known.is_borrowable }
  if (host.is_borrowable !== known.is_borrowable) await saveBorrowable(db, host, host.is_borrowable)
  const own = host.customer_number
  const group = await listMembers(db, own, toNamedHost(host))
  const accounts = await findStandings(db, email, [...new Set([own, ...group])])
  const approved = new Map([...accounts].filter(([, { standing }]) => isExportApproved(standing.exportControlStatus)))
  if (!approved.has(own)) throw new BusinessRefusal('EXPORT_DENIED', EXPORT_DENIED)
  const customers = [own, ...group.filter((one) => one !== own)].flatMap((customerNumber) => {
    const account = approved.get(customerNumber)
    const isInFile = account && (customerNumber === own || isManaged(account))
    return isInFile ? { customerNumber, today: dayIn(account.timeZone, now) } : []
  })
  const kept = await keepLicenseFile(author, { host, customers, group }, await loadSigner(db, services.secrets, now))
  const { file_id: fileId, reason, issued_on: issuedOn } = kept.row
  await writeEvents(db, own, now, [
    { type: 'license_file.generated', data: { fileId, host: toHost(host), reason, issuedOn, by: email } },
  ])
  return { ...kept, accounts }
}

type FileRequest = {
  readonly host: HostRow
  /** The customers in the file; the first is the customer whose host it is. */
  readonly customers: readonly CustomerDay[]
  /** All customers that share the server, also those who are not in the file. */
  readonly group: readonly string[]
}

/** The customer has no licenses on the host. */
export class NoLicensesError extends BusinessRefusal {
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
  const everyone = [...new Set([host.customer_number, ...group])].sort()
  const seats = await loadSeats(db, everyone, toNamedHost(host))
  const isInFile = new Set(customers.map(({ customerNumber }) => customerNumber))
  const composed = composeFile(
    {
      host: { ...toHostIdentity(host), port: host.port },
      isBorrowable: host.is_borrowable,
      customers,
      lastIssued: await findLastIssued(db, everyone, toNamedHost(host)),
      activations: seats
        .filter(({ customer_number }) => isInFile.has(customer_number))
        .flatMap(({ activations }) => activations),
    },
    signer,
  )
  if (composed.ownText === undefined) throw new NoLicensesError(host, composed.sharedText !== undefined)
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
  const after = {
    id: row.file_id,
    server: host.host_name,
    customers: row.customers,
    keyId: row.key_id,
    isBorrowable: host.is_borrowable,
  }
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

type FileContent = {
  readonly host: HostIdentity & { readonly port: number }
  readonly isBorrowable: boolean
  /** The customers in the file; the first is the customer for whom it is made. */
  readonly customers: readonly CustomerDay[]
  readonly activations: readonly SeatedActivation[]
  /** The latest issue date of the earlier files of the machine. */
  readonly lastIssued: CalendarDay | undefined
}

type ComposedFile = {
  readonly issuedOn: CalendarDay
  /** The licenses of the first customer alone; undefined if it has nothing to license. */
  readonly ownText: string | undefined
  /** The licenses of all customers; undefined if there is only one, or nothing to license. */
  readonly sharedText: string | undefined
  readonly textByDaemon: Record<string, string>
  readonly firstEnd: CalendarDay | null
}

/**
 * All texts of one license file. All blocks have one issue date: the earliest of the customers' days, so that it is in
 * no customer's future, but never before that of an earlier file, which would supersede this one. Seats are left out once they have expired on their own customer's day.
 */
export function composeFile(content: FileContent, signer: Signer): ComposedFile {
  const { host, isBorrowable, customers, lastIssued } = content
  const earliest = customers.map(({ today }) => today).sort()[0] ?? ''
  const issuedOn = lastIssued !== undefined && lastIssued > earliest ? lastIssued : earliest
  const issue: LicenseIssue = { host, issuedOn, isBorrowable, keyId: signer.keyId }
  const dayOf = new Map(customers.map(({ customerNumber, today }) => [customerNumber, today]))
  const licensed = content.activations
    .filter(({ customerNumber, endDate }) => endDate === null || endDate >= (dayOf.get(customerNumber) ?? ''))
    .map(inCatalog)
  const own = licensed.filter(({ customerNumber }) => customerNumber === customers[0]?.customerNumber)
  const ends = licensed.flatMap(({ endDate }) => endDate ?? []).sort()
  return {
    issuedOn,
    ownText: licenseText(own, issue, signer.sign),
    sharedText: customers.length > 1 ? licenseText(licensed, issue, signer.sign) : undefined,
    textByDaemon: licenseTextByDaemon(own, issue, signer.sign),
    firstEnd: ends[0] ?? null,
  }
}

/** Refuses seats that cannot be written to a license file. */
export function inCatalog(activation: SeatedActivation): LicensedActivation {
  const { daemon, product } = activation
  if (daemon === null)
    throw new BusinessRefusal('NOT_IN_CATALOG', `The catalog has no license features for ${product}. Contact support.`)
  return { ...activation, daemon }
}
