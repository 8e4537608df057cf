import type { AddressInfo } from 'node:net'
import express from 'express'
import knex from 'knex'
import type pg from 'pg'
import { reportAsChild, settingsOfChild } from '#bench/kit/child-server.ts'

/** The usual stack, again without session, rights or validation. */
const { connection } = settingsOfChild<{ connection: pg.ClientConfig }>()
const db = knex({ client: 'pg', connection: connection as never, pool: { min: 2, max: 10 } })

const COLUMNS = {
  TransactionNumber: 'transaction_number',
  StartTime: 'started_at',
  Product: 'product',
  ProductCount: 'product_count',
  Hours: 'hours',
  Charge: 'charge',
  Currency: 'currency',
  User: 'user_name',
  Host: 'host',
  Project: 'project',
  DeviceID: 'session_id',
  SessionStatus: 'session_status',
  REFERER_IP_ADDRESS: 'external_ip',
  productVersion: 'product_version',
  AnsysCloudJobId: 'cloud_job_id',
}

const app = express()
app.use(express.json())
app.post('/api/fetchUsage', async (request, response) => {
  const { customerNumber, filter, limit } = request.body
  const rows = await db('usage_transaction')
    .select(COLUMNS)
    .select(db.raw(`nullif(ends_at, 'infinity') as "EndTime"`), db.raw(`ends_at = 'infinity' as "Active"`))
    .where('customer_number', customerNumber)
    .where('ends_at', '>', filter.criteria[0].value)
    .where('started_at', '<', filter.criteria[1].value)
    .orderBy([
      { column: 'started_at', order: 'desc' },
      { column: 'transaction_number', order: 'desc' },
    ])
    .limit(limit + 1)
  response.json({ status: 'SUCCESS', data: rows.slice(0, limit) })
})
const server = app.listen(0, '127.0.0.1', () => reportAsChild((server.address() as AddressInfo).port))
