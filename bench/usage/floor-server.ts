import http from 'node:http'
import type { AddressInfo } from 'node:net'
import pg from 'pg'
import { reportAsChild, settingsOfChild } from '#bench/kit/child-server.ts'

type Settings = {
  connection: pg.PoolConfig
  /** The statement of the portal, whose answer is already JSON, with its values. */
  statement: { text: string; values: unknown[] }
}

/** No session, no rights, no validation: what Node and the driver can do at most. */
const { connection, statement } = settingsOfChild<Settings>()
const pool = new pg.Pool({ ...connection, max: 10, options: '-c plan_cache_mode=force_generic_plan' })

const server = http.createServer((request, response) => {
  let text = ''
  request.on('data', (piece) => {
    text += piece
  })
  request.on('end', async () => {
    JSON.parse(text)
    const { rows } = await pool.query<{ text: string }>({ name: 'page', ...statement })
    const json = `{"status":"SUCCESS","data":[${rows[0]?.text}]}`
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(json) })
    response.end(json)
  })
})
server.listen(0, '127.0.0.1', () => reportAsChild((server.address() as AddressInfo).port))
