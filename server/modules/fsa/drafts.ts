import type { Kysely } from 'kysely'
import type { Draft } from '#contract/fsa/drafts.ts'
import { readOrderLine } from '#contract/fsa/order-entitlements.ts'
import { can } from '#domain/access/can.ts'
import type { Actor, Standing } from '#domain/access/standing.ts'
import type { CalendarDay } from '#domain/calendar/calendar-day.ts'
import { decideOrder, type OrderDecision } from '#domain/fsa/check-order.ts'
import { linesCost, type OrderLine } from '#domain/fsa/order-line.ts'
import type { DB } from '#server/db/schema.ts'
import { ConflictError, HttpError } from '#server/http/http-error.ts'
import { listFsaPrices } from '#server/modules/catalog/catalog.public.ts'
import { type ContractRow, listContractRows } from '#server/modules/fsa/contracts.queries.ts'
import type { DraftRow } from '#server/modules/fsa/drafts.queries.ts'
import { toContract, toProducts } from '#server/modules/fsa/fsa.mapping.ts'

export const NO_SUCH_DRAFT = 'There is no such draft'

export type JudgedDraft = {
  readonly row: DraftRow
  readonly contract: ContractRow
  readonly lines: readonly OrderLine[]
  readonly decision: OrderDecision
}

/** Drafts with the result that ordering them now would have. */
export async function judgeDrafts(
  db: Kysely<DB>,
  drafts: readonly DraftRow[],
  { customerNumber, today, isBusops }: { customerNumber: string; today: CalendarDay; isBusops: boolean },
): Promise<JudgedDraft[]> {
  const contracts = new Map((await listContractRows(db, customerNumber)).map((row) => [row.fsa_id, row]))
  const prices = await listFsaPrices(db, [...new Set([...contracts.values()].map(({ currency }) => currency))])
  return drafts.flatMap((row) => {
    const contractRow = contracts.get(row.fsa_id)
    // Drafts of a contract that is no longer deployed are hidden.
    if (!contractRow) return []
    const contract = toContract(contractRow, toProducts(prices, contractRow.currency))
    const lines = row.lines.map((line) => readOrderLine(line, contract))
    const decision = decideOrder(lines, { contract, today, isBusops, available: contractRow.available })
    return [{ row, contract: contractRow, lines, decision }]
  })
}

export function toDraft({ row, lines, decision }: JudgedDraft): Draft {
  return {
    id: row.draft_id,
    fsaID: row.fsa_id,
    name: row.name,
    products: row.lines,
    revision: row.revision,
    savedBy: row.saved_by,
    savedAt: row.saved_at.toISOString(),
    // The cost of all lines, including those that the reader cannot order now.
    totalCost: linesCost(lines),
    errors: decision.errors.map((error) => error?.message ?? null),
    isValid: decision.errors.every((error) => !error),
  }
}

/** Manual entries are for business operations only, in drafts as well. */
export function seesDraft(isBusops: boolean, { lines }: Pick<DraftRow, 'lines'>): boolean {
  return isBusops || !lines.some(({ manualentry }) => manualentry)
}

export function mayChangeDraft(actor: Actor, standing: Standing, { saved_by }: DraftRow): boolean {
  return saved_by === actor.email || can(actor, 'fsa.order', standing).allowed
}

/** The draft that a call names, in the revision that the caller has seen, if the caller may see it. */
export function requireRevision(
  draft: DraftRow | undefined,
  isBusops: boolean,
  revision: number | undefined,
  yours: unknown,
): DraftRow {
  if (!draft || !seesDraft(isBusops, draft)) throw new HttpError(404, NO_SUCH_DRAFT)
  if (draft.revision === revision) return draft
  const { draft_id: id, name, lines: products, saved_by: savedBy, revision: current } = draft
  throw new ConflictError('This draft was changed by somebody else in the meantime.', {
    current: { id, name, products, savedBy, revision: current },
    yours,
  })
}
