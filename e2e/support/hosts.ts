import { expect, type Page } from '@playwright/test'
import { HEADERS } from '#e2e/support/activations-screen.ts'

/** The account on which journeys make their license servers. */
export const CUSTOMER = '100002'

export async function post(page: Page, path: string, body: object) {
  const answer = await page.request.post(path, { headers: HEADERS, data: { customerNumber: CUSTOMER, ...body } })
  const content = await answer.json()
  expect(content, path).toMatchObject({ status: 'SUCCESS' })
  return content
}

let made = 0

export function newHost(prefix: string) {
  const end = `${Date.now().toString(16)}${(++made).toString(16)}`.slice(-9)
  return { serverName: `${prefix}-${end}`, serverId: `02a${end.padStart(9, '0')}`, serverIdType: 'ETHERNET' }
}

/** Adds a host with two products and a license file. Each journey has its own host, because journeys run in parallel. */
export async function hostWithProducts(page: Page, prefix: string) {
  const host = newHost(prefix)
  const { data } = await post(page, '/api/fulfillments/allentitlements', {})
  const activations = (data as { ActivationId: string; LicenseModel: string }[])
    .filter(({ LicenseModel }) => LicenseModel.startsWith('Network'))
    .slice(0, 2)
    .map(({ ActivationId }) => ({ id: ActivationId, count: 1 }))
  await post(page, '/api/fulfillments/create', { ...host, activations })
  await post(page, '/api/fulfillments/license', host)
  return host
}
