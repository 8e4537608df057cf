import { type Static, Type } from 'typebox'
import { emailRecipients, emailsFiles } from '#contract/elastic/statements/email-files.ts'
import { Day, Units } from '#contract/elastic/statements/statements.ts'
import { sortedFields } from '#contract/kit/list.ts'
import { operation } from '#contract/kit/operation.ts'
import { CustomerNumber, requestFields } from '#contract/kit/schema.ts'
import { download, email } from '#domain/audit/words.ts'
import type { CalendarDay } from '#domain/calendar/calendar-day.ts'
import {
  type BalanceForecast,
  FORECAST_METHOD,
  FORECAST_WINDOWS,
  type ForecastBalance,
  type ForecastWindow,
  MAX_WINDOW,
  type RunOut,
} from '#domain/elastic/balances/run-out.ts'
import type { DailyUse } from '#domain/elastic/balances/usage-trend.ts'
import type { Fields } from '#domain/filter/fields.ts'
import { toFixedText } from '#domain/money/decimal.ts'

const OUTCOMES = ['RUNS_OUT', 'NOT_USED_UP', 'NO_USAGE', 'USED_UP'] as const

const WindowForecast = Type.Object({
  Days: Type.Unsafe<ForecastWindow>(Type.Integer({ enum: [...FORECAST_WINDOWS] })),
  AveragedDays: Type.Integer({ description: 'Fewer than Days if usage began later' }),
  UsedPerDay: Type.Union([Units], { description: 'What the account uses per day in this currency' }),
  Outcome: Type.Unsafe<(typeof OUTCOMES)[number]>(Type.String({ enum: [...OUTCOMES] })),
  UsedUpOn: Type.Union([Day, Type.Null()], { description: 'For RUNS_OUT' }),
  Unused: Type.Union([Units, Type.Null()], { description: 'For NOT_USED_UP: what is left when the term ends' }),
})

const ForecastData = Type.Object({
  AsOf: Day,
  Records: Type.Array(
    Type.Object({
      'CA[ENT|ansysponum]': Type.String({ description: 'Purchase order' }),
      ActivationId: Type.String(),
      StartDate: Day,
      EndDate: Type.Union([Day, Type.Null()]),
      Balance: Type.Union([Units], { description: 'What is left today; may be negative' }),
      Currency: Type.String(),
      Forecasts: Type.Array(WindowForecast),
    }),
    { description: 'Balances whose term is not over, in the order in which they are drawn on' },
  ),
  Usage: Type.Array(Type.Object({ Currency: Type.String(), Days: Type.Array(Type.Object({ Day, Used: Units })) }), {
    description: `What was used on each of the last ${MAX_WINDOW} days and today, days without usage left out`,
  }),
})
export type WireForecast = Static<typeof ForecastData>

export const getRunOutForecast = operation({
  name: 'getEntitlements/forecast',
  summary: `The days on which elastic balances are used up. ${FORECAST_METHOD}`,
  access: { kind: 'account', action: 'elastic.read', customerNumberIn: 'body' },
  token: 'entitlements',
  writes: false,
  body: requestFields({ customerNumber: CustomerNumber }),
  data: ForecastData,
})

const exportFields = { customerNumber: CustomerNumber, sorting: sortedFields.sorting }

export const exportForecast = operation({
  ...getRunOutForecast,
  name: 'getEntitlements/forecast/export',
  audit: download('the run-out forecast'),
  token: 'entitlements',
  summary: 'The run-out forecast as a CSV file; sorting names the columns of the screen',
  body: requestFields(exportFields),
  data: Type.Unknown(),
  media: 'text/csv',
})

export const getForecastPdf = operation({
  ...exportForecast,
  name: 'getEntitlements/forecast/pdf',
  audit: download('the run-out forecast'),
  token: 'entitlements',
  summary: 'The run-out forecast as a PDF file; sorting names the columns of the screen',
  media: 'application/pdf',
})

export const emailForecastFiles = operation({
  ...emailsFiles,
  name: 'getEntitlements/forecast/email',
  audit: email('the run-out forecast'),
  token: 'entitlements',
  summary: 'Mail the run-out forecast as PDF and CSV files; sorting names the columns of the screen',
  refusals: ['NOTHING_TO_DO', 'TOO_MANY_EMAILS', 'TOO_MANY_ROWS'],
  body: requestFields({ ...exportFields, ...emailRecipients }),
})

/** A balance of an account, with the purchase order by which people know it. */
export type OrderedBalance = ForecastBalance & { readonly purchaseOrder: string }
export type RunOutForecast = {
  readonly asOf: CalendarDay
  readonly balances: readonly BalanceForecast<OrderedBalance>[]
  readonly usage: readonly DailyUse[]
}

/** A row as the screen shows it. The browser sorts loaded rows by these fields, and the server does so for an export. */
export type ForecastRow = {
  readonly purchaseOrder: string
  readonly activationId: string
  readonly endDate: string | null
  readonly balance: number
  readonly currency: string
  readonly exact: RunOutForecast['balances'][number]
} & Readonly<Record<`in${number}`, string | null>>

export const FORECAST_FIELDS: Fields = {
  purchaseOrder: { type: 'text' },
  activationId: { type: 'text' },
  endDate: { type: 'day', missingIsFuture: true },
  balance: { type: 'number' },
  currency: { type: 'text' },
  ...Object.fromEntries(FORECAST_WINDOWS.map((window) => [`in${window}`, { type: 'day' }])),
}

export const toForecastRow = (exact: ForecastRow['exact']): ForecastRow => ({
  purchaseOrder: exact.purchaseOrder,
  activationId: exact.activationId,
  endDate: exact.endDate,
  balance: Number(exact.left),
  currency: exact.currency,
  exact,
  ...Object.fromEntries(
    exact.windows.map(({ window, runOut }) => [`in${window}`, runOut.kind === 'runs out' ? runOut.on : null]),
  ),
})

const OUTCOME_OF: Readonly<Record<RunOut['kind'], (typeof OUTCOMES)[number]>> = {
  'runs out': 'RUNS_OUT',
  'not used up': 'NOT_USED_UP',
  'no usage': 'NO_USAGE',
  'used up': 'USED_UP',
}

export function toWireForecast({ asOf, balances, usage }: RunOutForecast): WireForecast {
  return {
    AsOf: asOf,
    Records: balances.map((balance) => ({
      'CA[ENT|ansysponum]': balance.purchaseOrder,
      ActivationId: balance.activationId,
      StartDate: balance.startDate,
      EndDate: balance.endDate,
      Balance: toFixedText(balance.left, 2),
      Currency: balance.currency,
      Forecasts: balance.windows.map(({ window, averagedDays, perDay, runOut }) => ({
        Days: window,
        AveragedDays: averagedDays,
        UsedPerDay: perDay,
        Outcome: OUTCOME_OF[runOut.kind],
        UsedUpOn: runOut.kind === 'runs out' ? runOut.on : null,
        Unused: runOut.kind === 'not used up' ? runOut.unused : null,
      })),
    })),
    Usage: usage.map(({ currency, days }) => ({
      Currency: currency,
      Days: days.map(({ day, used }) => ({ Day: day, Used: toFixedText(used, 2) })),
    })),
  }
}

export function readForecast({ AsOf, Records, Usage }: WireForecast): RunOutForecast {
  return {
    asOf: AsOf,
    balances: Records.map((record) => ({
      purchaseOrder: record['CA[ENT|ansysponum]'],
      activationId: record.ActivationId,
      startDate: record.StartDate,
      endDate: record.EndDate,
      left: record.Balance,
      currency: record.Currency,
      windows: record.Forecasts.map((forecast) => ({
        window: forecast.Days,
        averagedDays: forecast.AveragedDays,
        perDay: forecast.UsedPerDay,
        runOut: readRunOut(forecast),
      })),
    })),
    usage: Usage.map(({ Currency, Days }) => ({
      currency: Currency,
      days: Days.map(({ Day: day, Used: used }) => ({ day, used })),
    })),
  }
}

function readRunOut({ Outcome, UsedUpOn, Unused }: WireForecast['Records'][number]['Forecasts'][number]): RunOut {
  if (Outcome === 'RUNS_OUT' && UsedUpOn !== null) return { kind: 'runs out', on: UsedUpOn }
  if (Outcome === 'NOT_USED_UP') return { kind: 'not used up', unused: Unused ?? '0.00' }
  return { kind: Outcome === 'NO_USAGE' ? 'no usage' : 'used up' }
}
