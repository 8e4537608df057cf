import {
  type emailForecastFiles as emailOperation,
  type exportForecast as exportOperation,
  FORECAST_FIELDS,
  type getForecastPdf as pdfOperation,
  type RunOutForecast,
  toForecastRow,
} from '#contract/elastic/balances/run-out-forecast.ts'
import { dayIn } from '#domain/calendar/calendar-day.ts'
import { FORECAST_WINDOWS, runOutText } from '#domain/elastic/balances/run-out.ts'
import { loadAccount } from '#server/modules/accounts/accounts.public.ts'
import { loadRunOutForecast } from '#server/modules/elastic/balances/run-out.ts'
import { emailFiles, type Report, toCsvFile } from '#server/modules/elastic/statements/email-files.ts'
import { shownRows } from '#server/modules/elastic/statements/shown-rows.ts'
import { describeForecast } from '#server/modules/elastic/statements/statement-notes.ts'
import { type CsvTable, csvTableAnswer, pdfAnswer } from '#server/operations/file-answer.ts'
import type { Call, Result, SentFile } from '#server/operations/route.ts'

type FilesCall = Call<typeof exportOperation | typeof pdfOperation | typeof emailOperation>

export async function exportForecast(call: Call<typeof exportOperation>): Promise<SentFile> {
  return csvTableAnswer(call, toTable(call, await load(call)))
}

export async function getForecastPdf(call: Call<typeof pdfOperation>): Promise<SentFile> {
  const { fileName, described } = await toReport(call, await load(call))
  return pdfAnswer(call, `${fileName}.pdf`, described)
}

export function emailForecastFiles(call: Call<typeof emailOperation>): Promise<Result<typeof emailOperation>> {
  return emailFiles(call, async () => {
    const forecast = await load(call)
    if (forecast.balances.length === 0) return undefined
    return { report: await toReport(call, forecast), csv: [toCsvFile(toTable(call, forecast))] }
  })
}

/** In the order of the screen. */
async function load({ body, db, now, standing, timeZone }: FilesCall): Promise<RunOutForecast> {
  const forecast = await loadRunOutForecast(db, standing.customerNumber, dayIn(timeZone, now))
  const rows = shownRows(FORECAST_FIELDS, { sorting: body.sorting }, forecast.balances.map(toForecastRow))
  return { ...forecast, balances: rows.map(({ exact }) => exact) }
}

const HEADER = [
  'Purchase Order',
  'Activation ID',
  'End Date',
  'Balance',
  'Currency',
  ...FORECAST_WINDOWS.map((window) => `At ${window}-Day Average`),
]

function toTable(call: FilesCall, forecast: RunOutForecast): CsvTable {
  return {
    fileName: `${fileNameOf(call, forecast)}.csv`,
    header: HEADER,
    lines: forecast.balances.map(({ purchaseOrder, activationId, endDate, left, currency, windows }) => [
      purchaseOrder,
      activationId,
      endDate,
      { amount: Number(left) },
      currency,
      ...windows.map(({ runOut }) => runOutText(runOut)),
    ]),
  }
}

async function toReport(call: FilesCall, forecast: RunOutForecast): Promise<Report> {
  const { customerNumber } = call.standing
  const { name } = await loadAccount(call.db, customerNumber)
  const header = { customerNumber, customerName: name, from: forecast.asOf, to: forecast.asOf }
  return {
    kind: 'forecast',
    header,
    fileName: fileNameOf(call, forecast),
    described: {
      title: 'Run-out forecast',
      isLandscape: true,
      footnote: `Account ${customerNumber} · ${forecast.asOf}`,
      blocks: [
        {
          kind: 'facts',
          facts: [
            ['Report Date', forecast.asOf],
            ['Account ID (Account Name)', `${customerNumber} (${name})`],
          ],
        },
        ...describeForecast(forecast),
      ],
    },
    facts: [],
    screen: { path: 'statementv2', search: { tab: 'forecast' } },
  }
}

const fileNameOf = ({ standing }: FilesCall, { asOf }: RunOutForecast) =>
  `run-out-forecast_${standing.customerNumber}_${asOf}`
