import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { accountList } from '#contract/accounts/account-list.ts'
import { freshDatabase } from '#server/testing/database.ts'
import { startPortalProcess } from '#server/testing/portal-process.ts'
import { until } from '#server/testing/until.ts'

type Span = { traceId: string; spanId: string; parentSpanId?: string; name: string; attributes: Attribute[] }
type Attribute = { key: string; value: { stringValue?: string } }

test('requests and their statements are traced under the reference id of the request', async () => {
  const collector = await startCollector()
  const database = await freshDatabase()
  onTestFinished(() => database.close())
  const portal = await startPortalProcess(database.connection, {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.address,
    OTEL_EXPORTER_OTLP_HEADERS: 'x-collector-key=abc',
  })
  onTestFinished(() => portal.kill())

  const answer = await fetch(`${portal.origin}${accountList.page.path}?token=lpk_secret`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      cookie: 'session=unknown',
      traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`,
    },
    body: '{}',
  })
  expect(answer.status).toBe(401)
  const reference = answer.headers.get('x-request-id')
  await fetch(`${portal.origin}/auth/callback?code=a-secret-code`)
  await portal.stop()
  await until(() => collector.spans.some(({ traceId }) => traceId === reference), 'no trace of the request arrived')

  const spans = collector.spans.filter(({ traceId }) => traceId === reference)
  const root = spans.find(({ parentSpanId }) => !parentSpanId)
  expect(attribute(root, 'url.path')).toBe(accountList.page.path)
  const statement = spans.find(({ attributes }) =>
    attributes.some(({ key }) => /^db\.(query\.text|statement)$/.test(key)),
  )
  expect(statement?.parentSpanId, 'a statement of the guard belongs to the request').toBeDefined()
  expect(collector.keys).toEqual(new Set(['abc']))
  expect(JSON.stringify(collector.spans)).not.toMatch(/a-secret-code|lpk_secret|readyz/)
})

const attribute = (span: Span | undefined, name: string) =>
  span?.attributes.find(({ key }) => key === name)?.value.stringValue

/** Receives traces as OTLP in JSON. */
async function startCollector() {
  const spans: Span[] = []
  const keys = new Set<unknown>()
  const server = http.createServer(async (request, reply) => {
    const body = (await request.toArray()).join('')
    keys.add(request.headers['x-collector-key'])
    for (const { scopeSpans } of JSON.parse(body).resourceSpans)
      for (const scope of scopeSpans) spans.push(...(scope.spans as Span[]))
    reply.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, spans, keys }
}
