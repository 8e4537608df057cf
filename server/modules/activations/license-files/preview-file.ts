import type { Kysely } from 'kysely'
import type { previewSave as operation } from '#contract/activations/plans/host-plans.ts'
import { licenseFileName } from '#domain/activations/license-files/license-file.ts'
import type { DB } from '#server/db/schema.ts'
import { findHost, type NamedHost } from '#server/modules/activations/hosts/hosts.queries.ts'
import { identityOf, toHostIdentity } from '#server/modules/activations/hosts/named-host.ts'
import { composeFile } from '#server/modules/activations/license-files/generate-license.ts'
import {
  findLastIssued,
  loadSeats,
  loadUnseated,
  type SeatedActivation,
} from '#server/modules/activations/license-files/license-files.queries.ts'
import { findVisibleLastFile, toWireDifference } from '#server/modules/activations/license-files/read-license-files.ts'
import type { Signer } from '#server/modules/activations/license-files/signing-keys.ts'
import type { CustomerDay } from '#server/modules/activations/seats/seats.queries.ts'
import type { Call, Result } from '#server/operations/route.ts'

/** The signatures of a preview are invalid: otherwise somebody could get licenses without activating them. */
const UNSIGNED: Signer = { keyId: 'preview', sign: () => 'PREVIEW' }

type Preview = Result<typeof operation>['data']

/** A future license file. */
export type PlannedFile = {
  readonly named: NamedHost
  /** Everybody in the file; the first is the customer for whom it is made. */
  readonly customers: readonly CustomerDay[]
  /** The setting of the host applies unless this is given. */
  readonly isBorrowable?: boolean | undefined
  readonly changes: readonly Change[]
}

/** The file as it would be, and how it differs from the last one of the host. */
export async function previewFile(
  { actor, db }: Pick<Call<typeof operation>, 'actor' | 'db'>,
  { named, customers, isBorrowable, changes }: PlannedFile,
): Promise<Preview> {
  const first = customers[0]?.customerNumber ?? ''
  const host = await findHost(db, first, named)
  const identity = host ? { ...toHostIdentity(host), port: host.port } : { ...identityOf(named), port: named.port }
  const customerNumbers = customers.map(({ customerNumber }) => customerNumber)
  const composed = composeFile(
    {
      host: identity,
      isBorrowable: isBorrowable ?? host?.is_borrowable ?? false,
      customers,
      lastIssued: await findLastIssued(db, customerNumbers, named),
      activations: await seatsAfter(db, customers, named, changes),
    },
    UNSIGNED,
  )
  const isShared = customers.length > 1
  const licenseText = (isShared ? composed.sharedText : composed.ownText) ?? ''
  const before = host && (await findVisibleLastFile(db, actor, host))
  return {
    licenseText,
    licenseFileName: licenseFileName(first, identity, isShared),
    difference: toWireDifference(before?.text ?? '', licenseText),
    before: before?.file ?? null,
  }
}

/** Seats on the host after the changes. Ids that do not belong to the customer change nothing. */
async function seatsAfter(
  db: Kysely<DB>,
  customers: readonly CustomerDay[],
  machine: NamedHost,
  changes: readonly Change[],
): Promise<SeatedActivation[]> {
  const customerNumbers = customers.map(({ customerNumber }) => customerNumber)
  const seated = (await loadSeats(db, customerNumbers, machine)).flatMap(({ activations }) => activations)
  const present = new Set(seated.map(keyOf))
  const added: SeatedActivation[] = []
  for (const customerNumber of customerNumbers) {
    const missing = changes.filter((one) => one.customerNumber === customerNumber && !present.has(keyOf(one)))
    if (missing.length)
      added.push(...(await loadUnseated(db, customerNumber, [...new Set(missing.map((one) => one.activationId))])))
  }
  const byKey = Map.groupBy(changes, keyOf)
  return [...seated, ...added].map((one) => {
    const change = byKey.get(keyOf(one))?.reduce((sum, { count }) => sum + count, 0) ?? 0
    return { ...one, seats: Math.max(one.seats + change, 0) }
  })
}

type Change = { readonly customerNumber: string; readonly activationId: string; readonly count: number }

const keyOf = ({ customerNumber, activationId }: Pick<Change, 'customerNumber' | 'activationId'>) =>
  `${customerNumber} ${activationId}`
