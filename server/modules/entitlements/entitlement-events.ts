import type { Transaction } from 'kysely'
import type { WebhookEvent } from '#contract/webhooks/webhook-events.ts'
import type { SaveContext } from '#server/data/data-kind.ts'
import type { Row } from '#server/data/record-table.queries.ts'
import type { Change } from '#server/data/save-records.ts'
import type { DB } from '#server/db/schema.ts'
import { writeEventsOfAccounts } from '#server/modules/webhooks/webhooks.public.ts'

/** Tells webhooks which entitlements a batch has added and changed. */
export async function notifyOfEntitlements(
  tx: Transaction<DB>,
  written: readonly Change[],
  { now }: Pick<SaveContext, 'now'>,
): Promise<void> {
  const byCustomer = Map.groupBy(
    // Entries that business operations make by hand are bookings, no licenses.
    written.filter(({ after }) => after.isManual !== true),
    ({ after }) => String(after.customerNumber),
  )
  await writeEventsOfAccounts(tx, [...byCustomer.keys()], now, (customerNumber) =>
    (byCustomer.get(customerNumber) ?? []).flatMap(eventsOf),
  )
}

function eventsOf({ before, after }: Change): WebhookEvent[] {
  const data = {
    activationId: String(after.activationId),
    product: String(after.productName),
    partNumber: String(after.partNumber),
    licenseModel: String(after.licenseModel ?? 'FSA'),
    quantity: Number(after.quantity ?? 1),
    startDate: String(after.startDate),
    endDate: (after.endDate ?? null) === null ? null : String(after.endDate),
    state: String(after.state),
  }
  if (Object.keys(before).length === 0) return [{ type: 'entitlement.added', data }]
  const changed = Object.keys(after).filter((field) => isOther(before[field], after[field]))
  return changed.length > 0 ? [{ type: 'entitlement.changed', data: { ...data, changed } }] : []
}

const isOther = (one: Row[string], other: Row[string]) => JSON.stringify(one ?? null) !== JSON.stringify(other ?? null)
