import http from 'node:http'
import type { AddressInfo } from 'node:net'
import pg from 'pg'
import { reportAsChild, settingsOfChild } from '#bench/kit/child-server.ts'

/** What a developer writes who needs this one page and nothing else: 20 rows, and one more to see that there is a next. */
const PLAIN_PAGE = `
  select transaction_number as "TransactionNumber", started_at as "StartTime", nullif(ends_at, 'infinity') as "EndTime",
         product as "Product", product_count as "ProductCount", hours as "Hours", charge as "Charge", currency as "Currency",
         user_name as "User", host as "Host", project as "Project", session_id as "DeviceID",
         session_status as "SessionStatus", external_ip as "REFERER_IP_ADDRESS", product_version as "productVersion",
         cloud_job_id as "AnsysCloudJobId", ends_at = 'infinity' as "Active"
    from usage_transaction
   where customer_number = $1 and ends_at > $2 and started_at < $3
   order by started_at desc, transaction_number desc limit $4`

type PageBody = {
  customerNumber: string
  limit: number
  filter: { criteria: { name: string; value: string }[] }
}

/** The body that the portal takes; nothing in it is checked. */
function plainValues(body: PageBody): [string, string, string, number] {
  const [after, before] = body.filter.criteria
  return [body.customerNumber, after!.value, before!.value, body.limit + 1]
}

type Settings = {
  connection: pg.PoolConfig
  /**
   * A statement whose answer is already JSON, with its values, prepared once; without one, rows are fetched and turned into
   * JSON here.
   */
  ready?: { text: string; values: unknown[] }
}

/** No session, no rights, no validation: what Node and the driver can do at most. */
const { connection, ready } = settingsOfChild<Settings>()
const pool = new pg.Pool({
  ...connection,
  max: 10,
  ...(ready ? { options: '-c plan_cache_mode=force_generic_plan' } : {}),
})

async function page(text: string): Promise<string> {
  const body = JSON.parse(text)
  if (ready) {
    const { rows } = await pool.query<{ text: string }>({ name: 'page', ...ready })
    return `{"status":"SUCCESS","data":[${rows[0]?.text}]}`
  }
  const { rows } = await pool.query(PLAIN_PAGE, plainValues(body))
  return JSON.stringify({ status: 'SUCCESS', data: rows.slice(0, body.limit) })
}

const server = http.createServer((request, response) => {
  let text = ''
  request.on('data', (piece) => {
    text += piece
  })
  request.on('end', () => {
    page(text).then(
      (json) => {
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(json) })
        response.end(json)
      },
      (error: unknown) => {
        response.writeHead(500)
        response.end(String(error))
      },
    )
  })
})
server.listen(0, '127.0.0.1', () => reportAsChild((server.address() as AddressInfo).port))
