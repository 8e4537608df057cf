import { type Static, Type } from 'typebox'
import { emailRecipients, emailsFiles } from '#contract/elastic/statements/email-files.ts'
import { exportBody, sortedFields } from '#contract/kit/list.ts'
import { LIST_BODY_LIMIT, operation } from '#contract/kit/operation.ts'
import { CustomerNumber, exactly, requestFields } from '#contract/kit/schema.ts'
import { download, email } from '#domain/audit/words.ts'
import type { CalendarDay } from '#domain/calendar/calendar-day.ts'
import type { Statement } from '#domain/elastic/statements/statement.ts'
import { toFixedText } from '#domain/money/decimal.ts'

export const Units = Type.String({ description: 'Exact, with two decimals', examples: ['1234.50'] })
export const Day = Type.String({ description: 'A calendar day of the account, yyyy-mm-dd' })
const PeriodDay = Type.String({
  maxLength: 40,
  description: 'A calendar day of the account (yyyy-mm-dd), or an instant of that day',
  examples: ['2026-10-01'],
})

const ProductUse = Type.Object({ product: Type.String(), total: Units, currency: Type.String() })

const StatementRecord = Type.Object({
  'CA[ENT|ansysponum]': Type.String({ description: 'Purchase order' }),
  ActivationId: Type.String(),
  StartDate: Day,
  EndDate: Type.Union([Day, Type.Null()]),
  BalanceBeforeStart: Units,
  BalanceAtEnd: Type.Union([Units], { description: 'BalanceBeforeStart less Used; may be negative' }),
  Used: Type.Union([Units], { description: 'The sum of its products' }),
  Currency: Type.String(),
  Products: Type.Array(ProductUse),
})

const StatementData = Type.Object({
  Customer: Type.Object({
    ReportDate: Day,
    AccountID: Type.String(),
    AccountName: Type.String(),
    PeriodStartDate: Day,
    PeriodEndDate: Day,
  }),
  Records: Type.Array(StatementRecord),
  Products: Type.Array(ProductUse, { description: 'Over all records, for each product and currency' }),
  Corrections: Type.Optional(
    Type.Array(Type.Object({ currency: Type.String(), total: Units, transactions: Type.Integer() }), {
      description: 'What corrections took back in the period, for each currency: contained in Used',
    }),
  ),
})
export type WireStatement = Static<typeof StatementData>

export const periodFields = { from: PeriodDay, to: PeriodDay }
const statementFields = {
  customerNumber: CustomerNumber,
  ...periodFields,
  today: Type.Optional(Type.String({ maxLength: 40, description: 'Accepted and not used: the clock is the server’s' })),
}
export const STATEMENT_TABLES = ['orders', 'products'] as const
export type StatementTable = (typeof STATEMENT_TABLES)[number]

/** What the tables of the screen show; a table that is left out shows all its rows. */
const shownFields = {
  orders: Type.Optional(exactly(sortedFields)),
  products: Type.Optional(exactly(sortedFields)),
} satisfies Record<StatementTable, unknown>

export const getStatement = operation({
  name: 'statements',
  summary: 'Elastic usage of a period by entitlement and by product, with balances before and after',
  access: { kind: 'account', action: 'elastic.read', customerNumberIn: 'body' },
  token: 'statements',
  writes: false,
  refusals: ['NO_ACTIVE_ENTITLEMENTS'],
  body: requestFields(statementFields),
  data: StatementData,
})

export const getStatementPdf = operation({
  ...getStatement,
  name: 'getPdf',
  audit: download('a statement'),
  token: 'statements',
  refusals: ['NO_ACTIVE_ENTITLEMENTS'],
  summary: 'A statement as a PDF file; filter and sorting of its tables name the columns of the screen',
  bodyLimit: LIST_BODY_LIMIT,
  body: requestFields({ ...statementFields, ...shownFields }),
  data: Type.Unknown(),
  media: 'application/pdf',
})

export const exportStatement = operation({
  ...getStatement,
  name: 'statements/export',
  audit: download('a table of a statement'),
  token: 'statements',
  refusals: ['NO_ACTIVE_ENTITLEMENTS'],
  summary: 'A table of a statement as a CSV file; filter and sorting name the columns of the screen',
  bodyLimit: LIST_BODY_LIMIT,
  body: exportBody({
    customerNumber: CustomerNumber,
    ...periodFields,
    table: Type.Unsafe<StatementTable>(Type.String({ enum: [...STATEMENT_TABLES] })),
  }),
  data: Type.Unknown(),
  media: 'text/csv',
})

export const emailStatementFiles = operation({
  ...emailsFiles,
  name: 'statements/email',
  audit: email('a statement'),
  token: 'statements',
  summary: 'Mail a statement as PDF and CSV files; filter and sorting of its tables name the columns of the screen',
  refusals: ['NOTHING_TO_DO', 'NO_ACTIVE_ENTITLEMENTS', 'TOO_MANY_EMAILS', 'TOO_MANY_ROWS'],
  body: requestFields({ customerNumber: CustomerNumber, ...periodFields, ...shownFields, ...emailRecipients }),
})

type Header = {
  readonly reportDate: CalendarDay
  readonly customerNumber: string
  readonly customerName: string
  readonly from: CalendarDay
  readonly to: CalendarDay
}

export function toWireStatement({ records, products }: Statement, header: Header): WireStatement {
  return {
    Customer: {
      ReportDate: header.reportDate,
      AccountID: header.customerNumber,
      AccountName: header.customerName,
      PeriodStartDate: header.from,
      PeriodEndDate: header.to,
    },
    Records: records.map((record) => ({
      'CA[ENT|ansysponum]': record.purchaseOrder,
      ActivationId: record.activationId,
      StartDate: record.startDate,
      EndDate: record.endDate,
      BalanceBeforeStart: toUnits(record.balanceBefore),
      BalanceAtEnd: toUnits(record.balanceAfter),
      Used: toUnits(record.used),
      Currency: record.currency,
      Products: record.products.map(({ product, used }) => ({
        product,
        total: toUnits(used),
        currency: record.currency,
      })),
    })),
    Products: products.map(({ product, used, currency }) => ({ product, total: toUnits(used), currency })),
  }
}

export function readStatement({ Records, Products }: WireStatement): Statement {
  return {
    records: Records.map((record) => ({
      purchaseOrder: record['CA[ENT|ansysponum]'],
      activationId: record.ActivationId,
      startDate: record.StartDate,
      endDate: record.EndDate,
      balanceBefore: record.BalanceBeforeStart,
      balanceAfter: record.BalanceAtEnd,
      used: record.Used,
      currency: record.Currency,
      products: record.Products.map(({ product, total }) => ({ product, used: total })),
    })),
    products: Products.map(({ product, total, currency }) => ({ product, used: total, currency })),
  }
}

const toUnits = (value: string) => toFixedText(value, 2)
