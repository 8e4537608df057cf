import { type Static, Type } from 'typebox'
import { operation } from '#contract/kit/operation.ts'
import { requestFields } from '#contract/kit/schema.ts'
import { webRead, webScope } from '#contract/web-licenses/web-access.ts'
import { download } from '#domain/audit/words.ts'

export const MAX_REPORT_DAYS = 731

const Day = Type.String({ maxLength: 40, description: 'A calendar day of the account', examples: ['2026-10-01'] })
const body = { ...webScope, from: Day, to: Day }
const common = { access: webRead, writes: false } as const

const nullable = <const S extends Parameters<typeof Type.Union>[0][number]>(schema: S) =>
  Type.Union([schema, Type.Null()])

const Hours = Type.Number({
  description: 'The sum of the hours of the checkouts within the range, each rounded to two decimals and at least 0.01',
})

const Report = Type.Object({
  products: Type.Array(
    Type.Object({
      product: Type.String(),
      limit: Type.Integer({ description: 'The most seats that the account had on a day of the range' }),
      peak: Type.Integer({ description: 'The most seats in use at the same time' }),
      peakDay: nullable(Type.String({ format: 'date' })),
      checkouts: Type.Integer(),
      users: Type.Integer(),
      hours: Hours,
      denials: Type.Integer(),
      days: Type.Array(
        Type.Object({ day: Type.String({ format: 'date' }), peak: Type.Integer(), limit: Type.Integer() }),
      ),
    }),
  ),
  users: Type.Array(
    Type.Object({
      email: Type.String(),
      name: Type.String(),
      checkouts: Type.Integer(),
      products: Type.Integer(),
      hours: Hours,
      denials: Type.Integer(),
    }),
  ),
  reasons: Type.Array(Type.Object({ reason: Type.String(), count: Type.Integer() })),
})
export type WireWebReport = Static<typeof Report>

export const getWebReport = operation({
  ...common,
  name: 'web/report',
  token: 'usage',
  summary: `How web licenses were used over at most ${MAX_REPORT_DAYS} days: peaks, products, users, denials`,
  body: requestFields(body),
  data: Report,
})

export const REPORT_TABLES = ['days', 'products', 'users'] as const
export type ReportTable = (typeof REPORT_TABLES)[number]

export const exportWebReport = operation({
  ...common,
  name: 'web/report/export',
  audit: download('the report about web licenses'),
  token: 'usage',
  summary: 'One table of the report as CSV',
  body: requestFields({ ...body, table: Type.Enum([...REPORT_TABLES]) }),
  data: Type.Unknown(),
  media: 'text/csv',
})

export const getWebReportPdf = operation({
  ...common,
  name: 'web/report/pdf',
  audit: download('the report about web licenses'),
  token: 'usage',
  summary: 'The report as a PDF file',
  body: requestFields(body),
  data: Type.Unknown(),
  media: 'application/pdf',
})

/** The name of a file of the report, without its ending. */
export function reportFileName(
  customerNumber: string,
  table: ReportTable | undefined,
  from: string,
  to: string,
): string {
  return ['web-report', table, customerNumber, from, to].filter((part) => part !== undefined).join('_')
}
