/**
 * What ends in 90 days, all license files, and the usage of last month. It needs nothing but Node's own fetch:
 *
 *   PORTAL_URL=http://127.0.0.1:8080 TOKEN=lpc_… CUSTOMER=100001 node examples/customer-client/client.ts <folder>
 *
 * The token needs the scopes entitlements:read, activations:read and usage:read.
 */
import fs from 'node:fs'
import path from 'node:path'
import type { Calls } from './portal-api.ts'

const { PORTAL_URL = 'http://127.0.0.1:8080', TOKEN = '', CUSTOMER = '' } = process.env
const folder = process.argv[2] ?? '.'

/** The error of a call: `code` for programs, the message for people. */
class PortalError extends Error {
  readonly code: string
  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

async function send(path: keyof Calls, body: object): Promise<Response> {
  const answer = await fetch(`${PORTAL_URL}${path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${TOKEN}`,
      accept: 'application/problem+json, application/json, text/csv',
      'content-type': 'application/json',
    },
    body: JSON.stringify({ customerNumber: CUSTOMER, ...body }),
  })
  if (answer.status === 429) {
    await new Promise((resolve) => setTimeout(resolve, Number(answer.headers.get('retry-after') ?? 1) * 1000))
    return send(path, body)
  }
  if (answer.ok) return answer
  const { code, detail } = (await answer.json()) as { code: string; detail: string }
  throw new PortalError(code, detail)
}

/** The answer of a call. A refusal by a business rule is HTTP 200 with the status FAILURE. */
async function call<P extends keyof Calls>(path: P, body: Omit<Calls[P]['request'], 'customerNumber'>) {
  const answer = (await (await send(path, body)).json()) as Calls[P]['answer']
  if (answer.status !== 'SUCCESS') throw new PortalError(answer.code ?? '', answer.err ?? '')
  return answer
}

const day = (date: Date) => date.toISOString().slice(0, 10)
const now = new Date()

const ends = {
  name: 'EndDate',
  method: 'DAYRANGE' as const,
  value: [day(now), day(new Date(now.getTime() + 90 * 86_400_000))],
}
let token: string | null | undefined
do {
  const page = await call('/api/fetchEntitlements/active', {
    filter: { condition: 'ALL', criteria: [ends] },
    attributes: ['ActivationId', 'ProductName', 'EndDate'],
    ...(token ? { token } : {}),
  })
  for (const row of page.data ?? []) console.log(`${row.EndDate} ${row.ActivationId} ${row.ProductName}`)
  token = page.token
} while (token)

fs.mkdirSync(folder, { recursive: true })
const { data: servers = [] } = await call('/api/fulfillments/servers', {})
for (const { id, name, type, generatedAt } of servers) {
  if (generatedAt === null) continue
  const server = {
    serverId: id,
    serverName: name,
    serverIdType: type as Calls['/api/fulfillments/download']['request']['serverIdType'],
  }
  const file = await call('/api/fulfillments/download', server)
  fs.writeFileSync(path.join(folder, path.basename(file.licenseFileName ?? id)), file.licenseText ?? '')
}

const first = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 1))
const last = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 0))
const month = { name: 'EndTime', method: 'DAYRANGE' as const, value: [day(first), day(last)] }
const usage = await send('/api/fetchUsage/export', { filter: { condition: 'ALL', criteria: [month] } })
if (!usage.headers.get('content-type')?.startsWith('text/csv')) {
  const { code, err } = (await usage.json()) as { code: string; err: string }
  throw new PortalError(code, err)
}
fs.writeFileSync(path.join(folder, `usage-${day(first).slice(0, 7)}.csv`), await usage.text())
