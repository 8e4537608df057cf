import http from 'node:http'
import type { AddressInfo } from 'node:net'
import pg from 'pg'
import { reportAsChild, settingsOfChild } from '#bench/kit/child-server.ts'
import { PLAIN_PAGE, plainValues } from '#bench/usage/page-sql.ts'

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
