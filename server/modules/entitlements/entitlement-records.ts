import type { Transaction } from 'kysely'
import { entitlementRecords } from '#contract/data/entitlements.ts'
import { kindOfModel } from '#domain/entitlements/kind.ts'
import { normalizedEmail } from '#domain/settings/email-address.ts'
import { fixDecimals, fixInstants } from '#server/data/fixed-values.ts'
import { recordData } from '#server/data/record-data.ts'
import type { Row } from '#server/data/record-table.queries.ts'
import { revokeByChange } from '#server/data/revoke-records.ts'
import type { DB } from '#server/db/schema.ts'
import { type Refusal, refusal } from '#server/http/http-error.ts'
import { refuseUnknownAccounts } from '#server/modules/accounts/accounts.public.ts'
import { keepProducts, refuseUnknownRateTables, unknownProducts } from '#server/modules/catalog/catalog.public.ts'
import { locateActivations, refuseForeignActivations } from '#server/modules/entitlements/activation-ids.queries.ts'
import { notifyOfEntitlements } from '#server/modules/entitlements/entitlement-events.ts'
import { refuseChangesOfUsed, type SeatCounts, soldTable } from '#server/modules/entitlements/sold-records.queries.ts'

type ModulesAbove = SeatCounts & {
  /** Orders that their spending account cannot pay for. */
  refuseOrders(tx: Transaction<DB>, rows: readonly Row[]): Promise<ReadonlyMap<Row, Refusal>>
}

/** All entitlements but spending accounts, which are in the module fsa. Orders from those are among them. */
export const entitlementData = ({ refuseOrders, ...counts }: ModulesAbove) =>
  recordData(
    {
      kind: entitlementRecords,
      table: soldTable,
      read: (row) => {
        const { requesterEmail } = row
        const email = typeof requesterEmail === 'string' ? { requesterEmail: normalizedEmail(requesterEmail) } : {}
        const fixed = fixInstants(fixDecimals(row, ['price', 'unitsPerLine'], 2), ['createdAt', 'orderedAt'])
        return { row: { ...fixed, ...email } }
      },
      locate: locateActivations,
      async prepare(tx, rows, { now }) {
        const names = await keepProducts(tx, rows)
        const refusals = new Map([
          ...(await refuseUnknownAccounts(tx, rows)),
          ...unknownProducts(rows, names),
          ...(await refuseUnknownRateTables(tx, rows)),
        ])
        const open = rows.filter((row) => !refusals.has(row))
        for (const [row, refused] of await refuseOrders(tx, open)) refusals.set(row, refused)
        const createdAt = now.toISOString()
        return { refusals, defaults: (row) => ({ createdAt, productName: names.get(String(row.partNumber)) }) }
      },
      claim: refuseForeignActivations,
      invalid,
      check: (tx, changes) => refuseChangesOfUsed(tx, changes, counts),
      after: notifyOfEntitlements,
    },
    (tx, ids, context, rules) => revokeByChange(tx, ids, context, rules, () => ({ state: 'Obsolete' })),
  )

function invalid(row: Row): Refusal | undefined {
  const { startDate, endDate, fsaId, isManual, price, state } = row
  if (endDate && startDate && endDate < startDate) return refusal('INVALID_RECORD', 'endDate is before startDate.')
  if (fsaId && !endDate) return refusal('INVALID_RECORD', 'An order from a spending account has an endDate.')
  if (fsaId && (price ?? null) === null)
    return refusal('INVALID_RECORD', 'An order from a spending account has a price.')
  if (isManual && !fsaId) return refusal('INVALID_RECORD', 'A manual entry needs the fsaId of its spending account.')
  const isElastic = kindOfModel(String(row.licenseModel)) === 'ELASTIC'
  // An entitlement that was once accepted without one can still be revoked.
  if (isElastic && state !== 'Obsolete' && !row.rateTableVersion)
    return refusal('INVALID_RECORD', 'Elastic units need a rateTableVersion.')
  return undefined
}
