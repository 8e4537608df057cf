import { type HostIdentity, hostParts } from '#domain/activations/hosts/host.ts'
import {
  type HostIdReading,
  licenseHostId,
  normalizedHostId,
  parseHostIdType,
  readHostId,
} from '#domain/activations/hosts/host-id.ts'
import { THIS_HOST, writtenHostName } from '#domain/activations/hosts/host-name.ts'
import { withFileSignature } from '#domain/activations/license-files/file-signature.ts'
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

/** The vendor's daemons, in the order in which files list them; unknown ones follow. */
const DAEMONS: readonly string[] = ['ansyslmd', 'ansoftd', 'fluentd', 'apacheda', 'sequenced']
const NODE_LOCKED_SUFFIX = '_nodelocked'

/**
 * The license file of a host: everything that is given, of all its customers, with one issue date. A shared file is
 * always generated from all its customers, never pasted together. Undefined if nothing is left to license.
 */
export function licenseText(
  activations: readonly LicensedActivation[],
  issue: LicenseIssue,
  sign: Sign,
): string | undefined {
  const licensed = licensedActivations(activations, issue)
  return licensed.length > 0 ? fileText(licensed, issue, sign) : undefined
}

/** One license file per daemon, each one complete. Node-locked licenses need no server and have a separate name. */
export function licenseTextByDaemon(
  activations: readonly LicensedActivation[],
  issue: LicenseIssue,
  sign: Sign,
): Record<string, string> {
  const byDaemon = Map.groupBy(licensedActivations(activations, issue), (one) =>
    isNodeLocked(one) ? `${one.daemon}${NODE_LOCKED_SUFFIX}` : one.daemon,
  )
  return Object.fromEntries([...byDaemon].map(([daemon, own]) => [daemon, fileText(own, issue, sign)]))
}

/** Seats that have not expired, in a fixed order: the same state gives the same bytes. */
function licensedActivations(activations: readonly LicensedActivation[], { issuedOn }: LicenseIssue) {
  return activations
    .filter(({ seats, endDate }) => seats > 0 && (endDate === null || endDate >= issuedOn))
    .sort(
      (one, other) =>
        compare(one.customerNumber, other.customerNumber) ||
        compare(one.product, other.product) ||
        compare(one.activationId, other.activationId),
    )
}

function fileText(licensed: readonly LicensedActivation[], issue: LicenseIssue, sign: Sign): string {
  const served = licensed.filter((one) => !isNodeLocked(one))
  const blocks = licensed.map((one, index) => licenseBlock(index + 1, one, issue, sign))
  const body = `${[...(served.length ? serverLines(served, issue) : []), ...blocks].join('\n')}\n`
  return withFileSignature(body, issue.keyId, sign)
}

function serverLines(served: readonly LicensedActivation[], { host }: LicenseIssue): string[] {
  const names = hostParts(host.serverName)
  const servers = hostIdsOf(host).map(({ type, id }, index) =>
    ['SERVER', serverName(names[index]), licenseHostId({ type, id: licenseWord(id) }), host.port].join(' '),
  )
  const daemons = new Set([...DAEMONS, ...served.map(({ daemon }) => daemon)])
  const used = [...daemons].filter((name) => served.some(({ daemon }) => daemon === name))
  return [...servers, ...used.map((daemon) => `VENDOR ${licenseWord(daemon)}`), 'USE_SERVER']
}

/**
 * A name that a file cannot hold is left to the administrator: the placeholder stands for the computer that reads the
 * file.
 */
function serverName(name = ''): string {
  return writtenHostName(name) ?? THIS_HOST
}

const compare = (one: string, other: string) => Number(one > other) - Number(one < other)

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

/** Values that all blocks of a file share. */
export type LicenseIssue = {
  readonly host: HostIdentity & { readonly port: number }
  /** One date for the whole file: a block that was issued earlier would be superseded by the others. */
  readonly issuedOn: CalendarDay
  /** The host's Borrowable setting. */
  readonly isBorrowable: boolean
  /** The key that signs. Its id is written to the block, so that old files can be verified after a change of keys. */
  readonly keyId?: string
}

const BORROW_HOURS = 720

function isNodeLocked({ isNodeLockedProduct, licenseModel, product }: LicensedActivation): boolean {
  return isNodeLockedProduct || licenseModelGroup(licenseModel, product) === 'Node Locked'
}

function hostIdsOf({ serverId, serverIdType }: HostIdentity): HostIdReading[] {
  const type = parseHostIdType(hostParts(serverIdType)[0] ?? '')
  return hostParts(serverId).map((id) => (type ? { type, id: normalizedHostId(id, type) } : readHostId(id)))
}

/** A comment that people read, and an INCREMENT per feature of the product. */
function licenseBlock(number: number, activation: LicensedActivation, issue: LicenseIssue, sign: Sign): string {
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
