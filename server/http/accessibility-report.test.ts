import Fastify from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { readConfig } from '#server/config.ts'
import { accessibilityReport } from '#server/http/accessibility-report.ts'
import { securityHeaders } from '#server/http/security-headers.ts'
import { startPortal } from '#server/testing/portal.ts'

test('shows the accessibility report to visitors who are not signed in', async () => {
  const { app } = await startPortal()
  onTestFinished(() => app.close())
  const { statusCode, headers, body } = await app.inject('/accessibility')
  expect(statusCode).toBe(200)
  expect(headers['content-type']).toBe('text/html; charset=utf-8')
  expect(body).toContain('1.4.10 Reflow')
  expect(body).toContain('Partially supports')
  expect(body).toContain('test: e2e/journeys/screens.spec.ts › &#34;')
  expect(body).not.toContain('undefined')
  expect((await app.inject('/accessibility/else')).statusCode).toBe(404)
  expect((await app.inject({ method: 'POST', url: '/accessibility' })).statusCode).toBe(404)
})

test('the accessibility report has the name and the support address of the installation', async () => {
  const config = readConfig({ BRAND_NAME: 'Keys & Locks', SUPPORT_URL: 'https://help.keys.example/new?topic=a&b' })
  const app = Fastify()
  onTestFinished(() => app.close())
  await securityHeaders(app, config)
  accessibilityReport(app, config)
  const { body } = await app.inject('/accessibility')
  expect(body).toContain('<title>Accessibility · Keys &#38; Locks</title>')
  expect(body).toContain('<a href="https://help.keys.example/new?topic=a&#38;b">Report a barrier</a>')
})
