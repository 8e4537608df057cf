import { type HostIdentity, hostParts } from '#domain/activations/hosts/host.ts'
import { type HostIdReading, licenseHostId, normalizedHostId, readHostId } from '#domain/activations/hosts/host-id.ts'
import { parseHostIdType } from '#domain/activations/hosts/host-id-type.ts'
import { canonicalBlock, type Sign, signatureAttribute } from '#domain/activations/license-files/license-signature.ts'
import {
  ANY_VERSION,
  commentText,
  licenseDate,
  licenseVersion,
  licenseWord,
  PERMANENT_EXPIRATION,
  wrapLine,
} from '#domain/activations/license-files/license-words.ts'
import { isBorrowableModel } from '#domain/activations/seats/activation-row.ts'
import type { CalendarDay } from '#domain/calendar/calendar-day.ts'
import { licenseModelGroup } from '#domain/entitlements/license-model.ts'

/** Seats of one entitlement on a host, with what the catalog says of its product. */
export type LicensedActivation = {
  readonly customerNumber: string
  readonly activationId: string
  readonly product: string
  readonly daemon: string
  readonly features: readonly string[]
  readonly isNodeLockedProduct: boolean
  readonly licenseModel: string
  readonly seats: number
  readonly startDate: CalendarDay
  /** Null for what is permanent. */
  readonly endDate: CalendarDay | null
  /** The last day of maintenance. */
  readonly versionDate: CalendarDay | null
}

/** What all blocks of a file have in common. */
export type LicenseIssue = {
  readonly host: HostIdentity & { readonly port: number }
  /** One date for the whole file: a block that was issued earlier would be superseded by the others. */
  readonly issuedOn: CalendarDay
  /** The host's Borrowable setting. */
  readonly isBorrowable: boolean
  /** Which key signs; it is written to the block, so that old files can be verified after a change of keys. */
  readonly keyId?: string
}

const BORROW_HOURS = 720

export function isNodeLocked({ isNodeLockedProduct, licenseModel, product }: LicensedActivation): boolean {
  return isNodeLockedProduct || licenseModelGroup(licenseModel, product) === 'Node Locked'
}

export function hostIdsOf({ serverId, serverIdType }: HostIdentity): HostIdReading[] {
  const type = parseHostIdType(hostParts(serverIdType)[0] ?? '')
  return hostParts(serverId).map((id) => (type ? { type, id: normalizedHostId(id, type) } : readHostId(id)))
}

/** A comment that people read, and an INCREMENT per feature of the product. */
export function licenseBlock(number: number, activation: LicensedActivation, issue: LicenseIssue, sign: Sign): string {
  const increments = activation.features.map((feature) => increment(feature, activation, issue, sign))
  return [comment(number, activation, issue), ...increments].join('\n')
}

function comment(number: number, activation: LicensedActivation, issue: LicenseIssue): string {
  const { product, seats, endDate, versionDate, customerNumber } = activation
  const maintained = versionDate ? `permanent, maintenance ends ${licenseDate(versionDate)}` : 'permanent'
  return [
    `# ${number}. ${commentText(product)}: ${seats} ${seats === 1 ? 'seat' : 'seats'}`,
    endDate ? `lease expiring ${licenseDate(endDate)}` : maintained,
    `customer ${commentText(customerNumber)}`,
    ...(isBorrowed(activation, issue) ? ['borrowable'] : []),
  ].join(', ')
}

function increment(feature: string, activation: LicensedActivation, issue: LicenseIssue, sign: Sign): string {
  const hostIds = hostIdsOf(issue.host)
  const words = [
    'INCREMENT',
    licenseWord(feature),
    licenseWord(activation.daemon),
    version(activation),
    activation.endDate ? licenseDate(activation.endDate) : PERMANENT_EXPIRATION,
    isNodeLocked(activation) ? 'uncounted' : String(activation.seats),
    ...(isNodeLocked(activation) ? [`HOSTID=${hostIdList(hostIds)}`] : []),
    `VENDOR_STRING=customer:${licenseWord(activation.customerNumber).padStart(8, '0')}`,
    'SUPERSEDE',
    ...(issue.keyId === undefined ? [] : [`ISSUER=${licenseWord(issue.keyId)}`]),
    `ISSUED=${licenseDate(issue.issuedOn)}`,
    ...(activation.startDate > issue.issuedOn ? [`START=${licenseDate(activation.startDate)}`] : []),
    ...(isBorrowed(activation, issue) ? [`BORROW=${BORROW_HOURS}`] : []),
    `SN=${licenseWord(activation.activationId)}`,
  ]
  return wrapLine([...words, signatureAttribute(sign(canonicalBlock(words, hostIds)))].join(' '))
}

/** A permanent license covers the versions until its maintenance ends; without any maintenance, those of its first day. */
function version({ endDate, versionDate, startDate }: LicensedActivation): string {
  return endDate ? ANY_VERSION : licenseVersion(versionDate ?? startDate)
}

function isBorrowed({ licenseModel }: LicensedActivation, { isBorrowable }: LicenseIssue): boolean {
  return isBorrowable && isBorrowableModel(licenseModel)
}

function hostIdList(hostIds: readonly HostIdReading[]): string {
  const ids = hostIds.map(({ type, id }) => licenseHostId({ type, id: licenseWord(id) }))
  return ids.length === 1 ? (ids[0] ?? '') : `"${ids.join(' ')}"`
}
