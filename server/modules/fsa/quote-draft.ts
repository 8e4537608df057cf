import type { quoteDraft as csvOperation, quoteDraftAsPdf as pdfOperation } from '#contract/fsa/drafts.ts'
import { can } from '#domain/access/can.ts'
import { dayIn } from '#domain/calendar/calendar-day.ts'
import { durationLabel } from '#domain/fsa/duration.ts'
import { countOf, type OrderLine, unitCostOf } from '#domain/fsa/order-line.ts'
import { QUOTE_OUTDATED, QUOTE_VALIDITY, quoteNumber } from '#domain/fsa/quote.ts'
import { formatDecimal, toFixedText } from '#domain/money/decimal.ts'
import { BusinessRefusal, HttpError } from '#server/http/http-error.ts'
import { loadAccount } from '#server/modules/accounts/accounts.public.ts'
import { findDraft } from '#server/modules/fsa/drafts.queries.ts'
import { judgeDrafts, NO_SUCH_DRAFT, seesDraft } from '#server/modules/fsa/drafts.ts'
import { type CsvCells, csvAnswer, pdfAnswer } from '#server/operations/file-answer.ts'
import type { Call, SentFile } from '#server/operations/route.ts'
import type { PdfColumn } from '#server/pdf/pdf-description.ts'

const COLUMNS: readonly PdfColumn[] = [
  { title: 'Product', share: 1 },
  { title: 'Part Number' },
  { title: 'Duration' },
  { title: 'Count', align: 'right' },
  { title: 'Start Date' },
  { title: 'Expiration Date' },
  { title: 'Unit Cost', align: 'right' },
  { title: 'Cost', align: 'right' },
  { title: 'Currency' },
]

/** The prices of a draft on paper. It is made only if every line can be ordered as it is. */
type Quote = {
  readonly number: string
  readonly lines: readonly OrderLine[]
  readonly totalCost: string
  readonly currency: string
  readonly facts: readonly (readonly [label: string, value: string])[]
}

export async function quoteDraft(call: Call<typeof csvOperation>): Promise<SentFile> {
  const { number, lines, totalCost, currency, facts } = await loadQuote(call)
  const plain = (amount: string) => toFixedText(amount, 2)
  const total = ['Total', '', '', '', '', '', '', totalCost, currency]
  const header = COLUMNS.map(({ title }) => title)
  return csvAnswer(call, `${number}.csv`, header, cells())

  async function* cells(): AsyncGenerator<CsvCells[], void> {
    yield [
      ...lines.map((line) => cellsOf(line, plain)),
      total,
      [],
      ['Quote', number],
      ...facts.map((fact) => [...fact]),
      [QUOTE_VALIDITY],
    ]
  }
}

export async function quoteDraftAsPdf(call: Call<typeof pdfOperation>): Promise<SentFile> {
  const { number, lines, totalCost, currency, facts } = await loadQuote(call)
  const amount = (value: string) => formatDecimal(value, 2)
  const total = ['Total', '', '', '', '', '', '', amount(totalCost), currency]
  return pdfAnswer(call, `${number}.pdf`, {
    title: `Quote ${number}`,
    isLandscape: true,
    blocks: [
      { kind: 'facts', facts },
      {
        kind: 'table',
        title: 'Products',
        columns: COLUMNS,
        rows: [
          ...lines.map((line) => ({ cells: cellsOf(line, amount).map((cell) => String(cell ?? '–')) })),
          { cells: total, role: 'total' as const },
        ],
      },
      { kind: 'paragraph', text: QUOTE_VALIDITY },
    ],
  })
}

async function loadQuote(call: Call<typeof csvOperation | typeof pdfOperation>): Promise<Quote> {
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
  return {
    number: quoteNumber(row.draft_id, row.revision),
    lines,
    totalCost: decision.totalCost,
    currency: contract.currency,
    facts: [
      ['Name', row.name],
      ['Account', `${customerNumber} (${account.name})`],
      ['FSA Contract', contract.fsa_id],
      ['Prepared by', row.saved_by],
      ['Date', today],
    ],
  }
}

function cellsOf(line: OrderLine, amount: (value: string) => string): (string | number | null)[] {
  const cost = line.cost ?? '0'
  const count = countOf(line)
  return [
    line.productName,
    line.partNumber,
    line.duration === null ? '' : durationLabel(line.duration),
    count,
    line.startDate,
    line.endDate,
    amount(unitCostOf(cost, count)),
    amount(cost),
    line.currency,
  ]
}
