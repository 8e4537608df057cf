import type { Transaction } from 'kysely'
import type { FailureCode } from '#contract/kit/failure-code.ts'
import { readEmail } from '#domain/settings/email-address.ts'
import type { SeatEntitlement } from '#domain/web-licenses/seats.ts'
import { WEB_LICENSE_KINDS, type WebLicenseKind } from '#domain/web-licenses/web-license.ts'
import type { DB } from '#server/db/schema.ts'
import { BatchRefusal, type Refusal } from '#server/http/http-error.ts'
import { lockEntitlements } from '#server/modules/entitlements/entitlements.public.ts'
import { listSeatUsers } from '#server/modules/web-licenses/seats.queries.ts'

/** Locks web entitlements with those who are assigned to them. Others of the account are left out. */
export async function lockSeatEntitlements(
  tx: Transaction<DB>,
  customerNumber: string,
  activationIds: readonly string[],
): Promise<Map<string, SeatEntitlement>> {
  const sold = await lockEntitlements(tx, customerNumber, activationIds)
  const users = await listSeatUsers(tx, customerNumber, [...sold.keys()])
  const found = new Map<string, SeatEntitlement>()
  for (const [id, one] of sold) {
    const kind = WEB_LICENSE_KINDS.find((web): web is WebLicenseKind => web === one.kind)
    if (kind === undefined || one.state !== 'Deployed' || one.is_manual) continue
    found.set(id, {
      kind,
      product: one.product_name,
      quantity: one.line_item_quantity,
      term: { startDate: one.start_date, endDate: one.end_date },
      users: users.get(id) ?? new Set(),
    })
  }
  return found
}

export type LineResult = { status: 'SUCCESS' | 'FAILURE'; code?: FailureCode; err?: string }

export const lineResult = (refusal: Refusal | undefined): LineResult =>
  refusal ? { status: 'FAILURE', ...refusal } : { status: 'SUCCESS' }

/** The answer always has the lines. If every line is refused, nothing was done, and the call is refused. */
export function refuseIfAllRefused(lines: readonly (LineResult & object)[]): void {
  const [first] = lines
  if (!first || lines.some(({ status }) => status === 'SUCCESS')) return
  const more = lines.length > 1 ? ` ${lines.length} lines were refused.` : ''
  throw new BatchRefusal(first.code ?? 'INVALID_REQUEST', `${first.err ?? ''}${more}`, lines)
}

/** Emails as they are kept, each once; what is no email stays as it is and matches nobody. */
export const readEmails = (texts: readonly string[] = []): string[] => [
  ...new Set(texts.map((text) => readEmail(text) ?? text)),
]

export const NO_SUCH_USER: Refusal = { code: 'NO_SUCH_USER', err: 'The account has no such web user.' }
export const NO_SUCH_GROUP: Refusal = { code: 'NO_SUCH_GROUP', err: 'The account has no such group.' }
