import type { Transaction } from 'kysely'
import type { UsageRecord } from '#contract/data/usage.ts'
import { type TakeBackRefusal, takeBack } from '#domain/elastic/usage/take-back.ts'
import { subtract, toFixedText } from '#domain/money/decimal.ts'
import type { DB } from '#server/db/schema.ts'
import type { Refusal } from '#server/http/http-error.ts'
import { listOriginals, type OriginalPart } from '#server/modules/elastic/usage/corrections.queries.ts'
import { bookUsage, type UsageRow } from '#server/modules/elastic/usage/usage-booking.queries.ts'
import { detailsOf } from '#server/modules/elastic/usage/usage-details.ts'

/** A line that takes back a charge, or a part of it. */
export type Correction = {
  readonly sent: UsageRecord & { readonly correctionOf: string; readonly charge: string }
  readonly customerNumber: string
  readonly endedAt: Date
}

const REFUSALS: Readonly<Record<TakeBackRefusal, string>> = {
  ACTIVATION_MISMATCH: 'The original was not booked on this activation id.',
  OVER_CORRECTED: 'The correction takes back more than is left of the original’s charge.',
}

/**
 * Books corrections in their order, after everything else of the batch: an original may arrive together with its
 * correction. Answers the refused ones. The accounts are locked.
 */
export async function bookCorrections<C extends Correction>(
  tx: Transaction<DB>,
  corrections: readonly C[],
  now: Date,
): Promise<ReadonlyMap<C, Refusal>> {
  const refused = new Map<C, Refusal>()
  if (corrections.length === 0) return refused
  const originals = await loadOriginals(tx, corrections)
  const rows: UsageRow[] = []
  for (const correction of corrections) {
    const { sent, customerNumber } = correction
    const found = originals.get(keyOf(customerNumber, sent.correctionOf)) ?? []
    const parts = found.filter(({ isCorrection }) => !isCorrection)
    const refusal = refusalOf(correction, found)
    const taken = refusal ?? takeBack(sent.charge.slice(1), parts, sent.activationId)
    if (typeof taken === 'string') refused.set(correction, { code: taken, err: REFUSALS[taken] })
    else if ('code' in taken) refused.set(correction, taken)
    else
      for (const { transactionNumber, charge } of taken) {
        const part = parts.find((one) => one.transactionNumber === transactionNumber)
        if (!part) throw new Error('a correction was taken back from nothing')
        part.left = toFixedText(subtract(part.left, charge.slice(1)), 2)
        rows.push(rowOf(correction, part, charge, now))
      }
  }
  await bookUsage(tx, rows)
  return refused
}

type OpenPart = { -readonly [K in keyof OriginalPart]: OriginalPart[K] }

async function loadOriginals(
  tx: Transaction<DB>,
  corrections: readonly Correction[],
): Promise<Map<string, OpenPart[]>> {
  const references = new Map(
    corrections.map(({ customerNumber, sent }) => [
      keyOf(customerNumber, sent.correctionOf),
      { customerNumber, id: sent.correctionOf },
    ]),
  )
  const originals = new Map<string, OpenPart[]>()
  for (const part of await listOriginals(tx, [...references.values()])) {
    const key = keyOf(part.customerNumber, part.id)
    originals.set(key, [...(originals.get(key) ?? []), { ...part }])
  }
  return originals
}

const keyOf = (customerNumber: string, id: string) => `${customerNumber} ${id}`

function refusalOf({ endedAt }: Correction, found: readonly OriginalPart[]): Refusal | undefined {
  if (found.length === 0)
    return {
      code: 'UNKNOWN_ORIGINAL',
      err: 'The account has no booked transaction with this id, or its month is archived.',
    }
  const original = found.find(({ isCorrection }) => !isCorrection)
  if (!original) return { code: 'INVALID_TRANSACTION', err: 'A correction cannot be corrected.' }
  if (endedAt < original.endedAt)
    return { code: 'INVALID_TRANSACTION', err: 'endTime must not be before the end of the original.' }
  return undefined
}

/** A correction begins and ends at the same instant and has no hours: those of the original stay. */
function rowOf({ sent, customerNumber, endedAt }: Correction, part: OriginalPart, charge: string, now: Date): UsageRow {
  return {
    ...part.row,
    ...detailsOf(sent),
    customer_number: customerNumber,
    server_id: sent.serverId,
    session_id: sent.id,
    session_status: 'Correction',
    started_at: endedAt,
    ends_at: endedAt,
    activation_id: part.activationId,
    charge,
    corrects: part.transactionNumber,
    corrected_session_id: part.id,
    arrived_at: now,
  }
}
