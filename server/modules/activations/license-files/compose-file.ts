import type { HostIdentity } from '#domain/activations/hosts/host.ts'
import type { LicensedActivation, LicenseIssue } from '#domain/activations/license-files/license-block.ts'
import { licenseText, licenseTextByDaemon } from '#domain/activations/license-files/license-text.ts'
import type { CalendarDay } from '#domain/calendar/calendar-day.ts'
import { BusinessRefusal } from '#server/http/http-error.ts'
import type { SeatedActivation } from '#server/modules/activations/license-files/license-files.queries.ts'
import type { Signer } from '#server/modules/activations/license-files/signing-keys.ts'
import type { CustomerDay } from '#server/modules/activations/seats/seats.queries.ts'

export type FileContent = {
  readonly host: HostIdentity & { readonly port: number }
  readonly isBorrowable: boolean
  /** Whose licenses are in the file; the first is the customer for whom it is made. */
  readonly customers: readonly CustomerDay[]
  readonly activations: readonly SeatedActivation[]
}

export type ComposedFile = {
  readonly issuedOn: CalendarDay
  /** Of the first customer alone; undefined if it has nothing to license. */
  readonly ownText: string | undefined
  /** Of all customers; undefined if there is only one, or nothing to license. */
  readonly sharedText: string | undefined
  readonly textByDaemon: Record<string, string>
  readonly firstEnd: CalendarDay | null
}

/**
 * All texts of one license file. All blocks carry one issue date: the earliest of the customers' days, so that it is in
 * nobody's future. What has expired is left out by the day of its own customer.
 */
export function composeFile(content: FileContent, signer: Signer): ComposedFile {
  const { host, isBorrowable, customers } = content
  const issuedOn = customers.map(({ today }) => today).sort()[0] ?? ''
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

/** Refuses what cannot be in a license file. */
export function inCatalog(activation: SeatedActivation): LicensedActivation {
  const { daemon, product } = activation
  if (daemon === null)
    throw new BusinessRefusal('NOT_IN_CATALOG', `The catalog has no license features for ${product}. Contact support.`)
  return { ...activation, daemon }
}
