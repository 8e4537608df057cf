import { type Static, Type } from 'typebox'
import { emailRecipients, emailsFiles } from '#contract/elastic/statements/email-files.ts'
import { periodFields, Units } from '#contract/elastic/statements/statements.ts'
import { exportBody } from '#contract/kit/list.ts'
import { LIST_BODY_LIMIT, operation } from '#contract/kit/operation.ts'
import { CustomerNumber, requestFields } from '#contract/kit/schema.ts'
import { download, email } from '#domain/audit/words.ts'
import {
  CHARGEBACK_DIMENSIONS,
  type Chargeback,
  type ChargebackDimension,
  type ChargebackRow,
  MISSING_NAME,
} from '#domain/elastic/statements/chargeback.ts'
import type { Fields } from '#domain/filter/fields.ts'
import { toFixedText } from '#domain/money/decimal.ts'

const By = Type.Unsafe<ChargebackDimension>(
  Type.String({ enum: [...CHARGEBACK_DIMENSIONS], description: 'What the usage is charged back to' }),
)
const Hours = Type.String({ description: 'Exact, with two decimals', examples: ['12.25'] })

const Totals = {
  Used: Units,
  Hours,
  Transactions: Type.Integer({ description: 'Corrections and parts of split charges count as well' }),
  Currency: Type.String(),
}

const ChargebackData = Type.Object({
  Rows: Type.Array(
    Type.Object({
      Name: Type.String({ description: 'What `by` says: a project, a username …; empty for usage without one' }),
      Share: Type.Union([Type.String({ examples: ['12.5'] }), Type.Null()], {
        description: 'Percent of what was used in the currency, to one decimal; null if that is not positive',
      }),
      ...Totals,
    }),
    { description: 'The most used currency first, and in it the most used row' },
  ),
  Totals: Type.Array(Type.Object(Totals), {
    description: 'One for each currency, the most used first: what the statement of the same period says is used',
  }),
})
export type WireChargeback = Static<typeof ChargebackData>

const scope = { customerNumber: CustomerNumber, ...periodFields, by: By }
const access = { kind: 'account', action: 'elastic.read', customerNumberIn: 'body' } as const

export const getChargeback = operation({
  name: 'statements/chargeback',
  summary:
    'Elastic usage of a period by project, user, host, product, or the department or cost center of the user, with the share of each',
  access,
  token: 'statements',
  writes: false,
  body: requestFields(scope),
  data: ChargebackData,
})

export const exportChargeback = operation({
  name: 'statements/chargeback/export',
  summary: 'A chargeback as a CSV file; filter and sorting name the columns of the screen',
  access,
  token: 'statements',
  writes: false,
  audit: download('a chargeback'),
  bodyLimit: LIST_BODY_LIMIT,
  body: exportBody(scope),
  data: Type.String(),
  media: 'text/csv',
})

export const getChargebackPdf = operation({
  ...exportChargeback,
  name: 'statements/chargeback/pdf',
  audit: download('a chargeback'),
  token: 'statements',
  summary: 'A chargeback as a PDF file; filter and sorting name the columns of the screen',
  data: Type.Unknown(),
  media: 'application/pdf',
})

export const emailChargebackFiles = operation({
  ...emailsFiles,
  name: 'statements/chargeback/email',
  audit: email('a chargeback'),
  token: 'statements',
  summary: 'Mail a chargeback as PDF and CSV files',
  refusals: ['NOTHING_TO_DO', 'TOO_MANY_EMAILS', 'TOO_MANY_ROWS'],
  body: exportBody({ ...scope, ...emailRecipients }),
})

export function toWireChargeback({ rows, totals }: Chargeback): WireChargeback {
  return {
    Rows: rows.map(({ name, share, ...amounts }) => ({ Name: name, Share: share, ...toWireAmounts(amounts) })),
    Totals: totals.map(toWireAmounts),
  }
}

const toWireAmounts = ({ used, hours, transactions, currency }: Chargeback['totals'][number]) => ({
  Used: toFixedText(used, 2),
  Hours: toFixedText(hours, 2),
  Transactions: transactions,
  Currency: currency,
})

export function readChargeback({ Rows, Totals: totals }: WireChargeback): Chargeback {
  const amounts = (one: WireChargeback['Totals'][number]) => ({
    used: one.Used,
    hours: one.Hours,
    transactions: one.Transactions,
    currency: one.Currency,
  })
  return {
    rows: Rows.map((row) => ({ name: row.Name, share: row.Share, ...amounts(row) })),
    totals: totals.map(amounts),
  }
}

/** A row as the screen shows it: amounts are exact text where they are shown, and numbers where they are filtered and sorted. */
export type ChargebackTableRow = {
  readonly name: string
  readonly used: number
  readonly share: number | null
  readonly hours: number
  readonly transactions: number
  readonly currency: string
  readonly exact: ChargebackRow
}

/**
 * The columns by their fields: the browser filters and sorts loaded rows by them, and the server does the same for an
 * export.
 */
export const CHARGEBACK_FIELDS = {
  name: { type: 'text' },
  used: { type: 'number' },
  share: { type: 'number' },
  hours: { type: 'number' },
  transactions: { type: 'number' },
  currency: { type: 'text' },
} as const satisfies Fields & Partial<Record<keyof ChargebackTableRow, unknown>>

export function chargebackTableRow(by: ChargebackDimension, row: ChargebackRow): ChargebackTableRow {
  return {
    name: row.name || (MISSING_NAME[by] ?? ''),
    used: Number(row.used),
    share: row.share === null ? null : Number(row.share),
    hours: Number(row.hours),
    transactions: row.transactions,
    currency: row.currency,
    exact: row,
  }
}
