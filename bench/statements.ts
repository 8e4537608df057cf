import { sql } from 'kysely'
import { verdict } from '#bench/kit/figures.ts'
import { freePort } from '#bench/kit/free-port.ts'
import { percentile } from '#bench/kit/http-load.ts'
import { busyness } from '#bench/kit/machine.ts'
import { signedIn } from '#bench/kit/portal-session.ts'
import { saveResults } from '#bench/kit/results.ts'
import { getRunOutForecast } from '#contract/elastic/balances/run-out-forecast.ts'
import { elasticDevice } from '#contract/elastic/credentials/elastic-servers.ts'
import { getChargeback } from '#contract/elastic/statements/chargeback.ts'
import { getStatement, getStatementPdf } from '#contract/elastic/statements/statements.ts'
import { CHARGEBACK_DIMENSIONS } from '#domain/elastic/statements/chargeback.ts'
import { buildApp } from '#server/app.ts'
import { readConfig } from '#server/config.ts'
import { systemClock } from '#server/doors/clock.ts'
import { rememberCallers } from '#server/identity/remembered-callers.ts'
import { openInstallation } from '#server/installation.ts'
import { claimDeviceIds } from '#server/modules/elastic/credentials/device-ids.queries.ts'
import { bookHistory } from '#server/modules/elastic/usage/usage-booking.queries.ts'
import { insertEntitlements } from '#server/modules/entitlements/entitlements.public.ts'

/*
 * The statement of a month with a million transactions, on 20 entitlements, 40 products, 500 users and 100 hosts: as JSON,
 * as a PDF file, its chargebacks, the run-out forecast, and what other calls notice while PDF files are made. The data is
 * made once and kept in .data-bench-statements. `node bench/statements.ts` prints the results and keeps them in RESULTS.md.
 */
const CUSTOMER = '300002'
const SERVER = 'bench-statements'
const TRANSACTIONS = 1_000_000
const RUNS = 15

const port = await freePort()
const config = readConfig({
  PORT: String(port),
  DATA_DIR: '.data-bench-statements',
  LOG_LEVEL: 'silent',
  RATE_LIMIT: '1000000000',
})
const installation = await openInstallation(config, { log: console.log })
const { db } = installation
await fill()
const cookie = await signedIn({ db }, 'bench@vendor.example', ['busops'])
const app = await buildApp({ ...installation, config, clock: systemClock, people: [], callers: rememberCallers })
await app.listen({ port, host: '127.0.0.1' })

const month = { customerNumber: CUSTOMER, from: '2026-09-01', to: '2026-09-30' }
const statement = () => post(getStatement.path, month)
const pdf = () => post(getStatementPdf.path, month)
const small = () => post(elasticDevice.path, { customerNumber: CUSTOMER })
const answer = JSON.parse((await statement()).toString())
if (answer.data.Records.length !== 20) throw new Error('the statement has not 20 records')

const began = busyness()
const statementTimes = await repeat(RUNS, statement)
const chargebackTimes: Record<string, readonly number[]> = {}
for (const by of CHARGEBACK_DIMENSIONS)
  chargebackTimes[by] = await repeat(RUNS, () => post(getChargeback.path, { ...month, by }))
const forecastTimes = await repeat(RUNS, () => post(getRunOutForecast.path, { customerNumber: CUSTOMER }))
const [firstPdf = 0] = await repeat(1, pdf)
const pdfTimes = await repeat(RUNS, pdf)
const quiet = await repeat(400, small)
let isDone = false
const making = repeat(RUNS, pdf).finally(() => (isDone = true))
const duringPdfs: number[] = []
while (!isDone) duringPdfs.push(...(await repeat(1, small)))
await making
const text = `- statement: ${describe(statementTimes)}; target 300 ms: ${verdict(timeAt(statementTimes, 0.95) < 300)}
${Object.entries(chargebackTimes)
  .map(([by, times]) => `- chargeback by ${by}: ${describe(times)}`)
  .join('\n')}
- run-out forecast: ${describe(forecastTimes)}
- PDF file: ${describe(pdfTimes)}; the first one, whose thread has to start, ${firstPdf.toFixed(0)} ms; target 1 s: ${verdict(timeAt(pdfTimes, 0.95) < 1000)}
- other calls, nothing else going on: ${describe(quiet)}
- other calls while PDF files are made: ${describe(duringPdfs)}; p95 not doubled: ${verdict(timeAt(duringPdfs, 0.95) < 2 * timeAt(quiet, 0.95))}

${TRANSACTIONS.toLocaleString('en')} transactions on 20 entitlements, 40 products, 500 users and 100 hosts, whole requests one after the other. Load average before: ${began.toFixed(1)}.`
console.log(text)
saveResults({ sections: [['Statement of a month', text]] })
await app.close()
await installation.close()

async function repeat(times: number, call: () => Promise<unknown>): Promise<number[]> {
  const taken: number[] = []
  for (let run = 0; run < times; run++) {
    const from = performance.now()
    await call()
    taken.push(performance.now() - from)
  }
  return taken
}

function timeAt(times: readonly number[], part: number): number {
  const sorted = times.toSorted((one, other) => one - other)
  return percentile(sorted, part)
}

function describe(times: readonly number[]): string {
  const at = (part: number) => `${timeAt(times, part).toFixed(1)} ms`
  return `median ${at(0.5)}, p95 ${at(0.95)}, slowest ${at(1)} (${times.length} calls)`
}

async function post(path: string, content: unknown): Promise<Buffer> {
  const headers = { 'content-type': 'application/json', 'x-requested-with': 'portal', cookie }
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(content),
  })
  const bytes = Buffer.from(await response.arrayBuffer())
  if (!response.ok) throw new Error(bytes.toString())
  return bytes
}

async function fill(): Promise<void> {
  const found = await db.selectFrom('account').select('name').where('customer_number', '=', CUSTOMER).executeTakeFirst()
  if (found) return
  await db.transaction().execute(async (tx) => {
    await tx.insertInto('account').values({ customer_number: CUSTOMER, name: 'Bench' }).execute()
    const server = { customer_number: CUSTOMER, device_id: SERVER }
    await claimDeviceIds(tx, [server])
    await tx
      .insertInto('elastic_server')
      .values({ ...server, alias: 'Elastic' })
      .execute()
    await insertEntitlements(
      tx,
      Array.from({ length: 20 }, (_, index) => ({
        customer_number: CUSTOMER,
        activation_id: `elastic-${index}`,
        entitlement_id: `elastic-${index}`,
        part_number: 'ELASTIC',
        product_name: 'Elastic Units',
        license_model: 'Elastic-AEU',
        po_number: `PO-${index}`,
        line_item_quantity: 1,
        units_per_line: '100000000',
        currency: 'AEU',
        start_date: '2026-01-01',
        end_date: '2027-12-31',
      })),
    )
    await bookHistory(tx, async (history) => {
      await sql`
        insert into ${history} (customer_number, server_id, session_id, session_status, started_at, ends_at, product,
          product_count, feature_count, user_name, host, activation_id, charge, currency)
        select ${CUSTOMER}, ${SERVER}, 'session-' || n, 'Completed', e.ends_at - interval '1 hour', e.ends_at,
               'Product ' || n % 40, 1, 1, 'user' || n % 500, 'host' || n % 100, 'elastic-' || n % 20,
               (n % 1000)::numeric / 100, 'AEU'
          from generate_series(1, ${TRANSACTIONS}::int) n,
               lateral (select timestamptz '2026-09-01 00:00:00Z' + n * interval '2.5 seconds' as ends_at) e`.execute(
        tx,
      )
    })
  })
  await sql`analyze`.execute(db)
}
