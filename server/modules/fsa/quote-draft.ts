import type { quoteDraft as operation } from '#contract/fsa/drafts.ts'
import { can } from '#domain/access/can.ts'
import { dayIn } from '#domain/calendar/calendar-day.ts'
import { durationLabel } from '#domain/fsa/duration.ts'
import { countOf, type OrderLine } from '#domain/fsa/order-line.ts'
import { QUOTE_OUTDATED, QUOTE_VALIDITY, quoteNumber } from '#domain/fsa/quote.ts'
import { divideHalfUp, toFixedText } from '#domain/money/decimal.ts'
import { BusinessRefusal, HttpError } from '#server/http/http-error.ts'
import { loadAccount } from '#server/modules/accounts/accounts.public.ts'
import { findDraft } from '#server/modules/fsa/drafts.queries.ts'
import { judgeDrafts, NO_SUCH_DRAFT, seesDraft } from '#server/modules/fsa/drafts.ts'
import { type CsvCells, csvAnswer } from '#server/operations/csv-answer.ts'
import type { Call, CsvFile } from '#server/operations/route.ts'

const HEADER = [
  'Product',
  'Part Number',
  'Duration',
  'Count',
  'Start Date',
  'Expiration Date',
  'Unit Cost',
  'Cost',
  'Currency',
]

/** The prices of a draft on paper. It is made only if every line can be ordered as it is. */
export async function quoteDraft(call: Call<typeof operation>): Promise<CsvFile> {
  const { actor, body, db, now, standing, timeZone } = call
  const { customerNumber } = standing
  const isBusops = can(actor, 'fsa.manual-lines', standing).allowed
  const row = await findDraft(db, customerNumber, body.id)
  const today = dayIn(timeZone, now)
  const [draft] =
    row && seesDraft(isBusops, row) ? await judgeDrafts(db, [row], { customerNumber, today, isBusops }) : []
  if (!row || !draft) throw new HttpError(404, NO_SUCH_DRAFT)
  const { contract, decision, lines } = draft
  const firstError = decision.errors.find((error) => error !== undefined)
  if (firstError) throw new BusinessRefusal(firstError.code, QUOTE_OUTDATED)

  const account = await loadAccount(db, customerNumber)
  const number = quoteNumber(row.draft_id, row.revision)
  const total = ['Total', '', '', '', '', '', '', decision.totalCost, contract.currency]
  const about: CsvCells[] = [
    [],
    ['Quote', number],
    ['Name', row.name],
    ['Account', `${customerNumber} (${account.name})`],
    ['FSA Contract', contract.fsa_id],
    ['Prepared by', row.saved_by],
    ['Date', today],
    [QUOTE_VALIDITY],
  ]
  return csvAnswer(call, `${number}.csv`, HEADER, cells())

  async function* cells() {
    yield [...lines.map((line) => cellsOf(line)), total, ...about]
  }
}

function cellsOf(line: OrderLine): CsvCells {
  const cost = line.cost ?? '0'
  const count = countOf(line)
  return [
    line.productName,
    line.partNumber,
    line.duration === null ? '' : durationLabel(line.duration),
    count,
    line.startDate,
    line.endDate,
    toFixedText(divideHalfUp(cost, count, 2), 2),
    toFixedText(cost, 2),
    line.currency,
  ]
}
