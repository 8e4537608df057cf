import type { exportRenewalPlan as Export, getRenewalPlanPdf as Pdf } from '#contract/planner/planner.ts'
import { formatDecimal } from '#domain/money/decimal.ts'
import { lineCostOf, planTotals, seatsToRenew } from '#domain/planner/proposals.ts'
import { HttpError } from '#server/http/http-error.ts'
import { loadAccount } from '#server/modules/accounts/accounts.public.ts'
import { findPlan, type PlanRow } from '#server/modules/planner/planner.queries.ts'
import { NO_SUCH_PLAN } from '#server/modules/planner/renewal-plans.ts'
import { csvTableAnswer, pdfAnswer } from '#server/operations/file-answer.ts'
import type { Call, SentFile } from '#server/operations/route.ts'
import type { PdfBlock } from '#server/pdf/pdf-description.ts'
import { reportFacts } from '#server/pdf/report-facts.ts'

async function requirePlan({ body, db, standing }: Call<typeof Export | typeof Pdf>): Promise<PlanRow> {
  const plan = await findPlan(db, standing.customerNumber, body.id)
  if (!plan) throw new HttpError(404, NO_SUCH_PLAN)
  return plan
}

const fileName = ({ customer_number, saved_at, plan_id }: PlanRow, ending: string) =>
  `renewal-plan_${customer_number}_${saved_at.toISOString().slice(0, 10)}_${plan_id.slice(0, 8)}.${ending}`

/** A number in a spreadsheet: a text with a minus sign would be quoted there. */
const amount = (text: string | null) => (text === null ? '' : Number(text))

export async function exportRenewalPlan(call: Call<typeof Export>): Promise<SentFile> {
  const plan = await requirePlan(call)
  return csvTableAnswer(call, {
    fileName: fileName(plan, 'csv'),
    header: [
      'Product',
      'Part Number',
      'Seats Today',
      'Planned Seats',
      'To Renew',
      'Unit Cost',
      'For',
      'Cost',
      'Difference',
      'Currency',
    ],
    lines: plan.lines.map((line) => {
      const { cost, difference } = lineCostOf(line)
      return [
        line.product,
        line.partNumber,
        line.bought,
        line.seats,
        seatsToRenew(line),
        amount(line.unitCost),
        line.duration ?? '',
        amount(cost),
        amount(difference),
        line.currency ?? '',
      ]
    }),
  })
}

const NUMBER = { align: 'right' } as const
const money = (amount: string | null) => (amount === null ? '' : formatDecimal(amount, 2))
const count = (value: number) => formatDecimal(String(value), 0)

/** The plan on paper, for somebody who buys: what, how many, what it costs. */
export async function getRenewalPlanPdf(call: Call<typeof Pdf>): Promise<SentFile> {
  const plan = await requirePlan(call)
  const { name } = await loadAccount(call.db, plan.customer_number)
  const header = { customerNumber: plan.customer_number, customerName: name }
  const totals = planTotals(plan.lines)
  const blocks: PdfBlock[] = [
    {
      kind: 'facts',
      facts: [
        ...reportFacts({ ...header, from: plan.measured_from, to: plan.measured_to }),
        ['Plan', plan.name],
        ['Saved by', plan.saved_by],
        ['Ends', endsText(plan)],
        ...totals.map(({ currency, cost }) => [`Total ${currency}`, money(cost)] as const),
        ...totals.map(({ currency, difference }) => [`Difference to today ${currency}`, money(difference)] as const),
      ],
    },
    {
      kind: 'table',
      title: 'Products',
      columns: [
        { title: 'Product', share: 3 },
        { title: 'Part Number', share: 2 },
        { title: 'Seats Today', ...NUMBER },
        { title: 'Planned Seats', ...NUMBER },
        { title: 'To Renew', ...NUMBER },
        { title: 'Unit Cost', ...NUMBER },
        { title: 'For' },
        { title: 'Cost', ...NUMBER },
        { title: 'Difference', ...NUMBER },
        { title: 'Currency' },
      ],
      rows: plan.lines.map((line) => {
        const { cost, difference } = lineCostOf(line)
        return {
          cells: [
            line.product,
            line.partNumber,
            count(line.bought),
            count(line.seats),
            count(seatsToRenew(line)),
            money(line.unitCost),
            line.duration ?? '',
            money(cost),
            money(difference),
            line.currency ?? '',
          ],
        }
      }),
    },
    {
      kind: 'paragraph',
      text: 'Prices are those of the day on which the plan was saved, each for the time that stands beside it. Products without a price are not in the totals.',
    },
  ]
  return pdfAnswer(call, fileName(plan, 'pdf'), { title: 'Renewal plan', isLandscape: true, blocks })
}

function endsText({ ends_from, ends_by }: Pick<PlanRow, 'ends_from' | 'ends_by'>): string {
  if (ends_from === null && ends_by === null) return 'Everything'
  return [ends_from && `from ${ends_from}`, ends_by && `until ${ends_by}`].filter(Boolean).join(' ')
}
