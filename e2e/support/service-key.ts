import { readFileSync } from 'node:fs'
import os from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'

/** Where the portal of the journeys keeps the key of a system that starts elastic sessions. */
export const serviceKeyFile = (port: number) => join(os.tmpdir(), `portal-journeys-key-${port}`)

type Started = { readonly status: string; readonly code?: string; readonly err?: string }

/** Starts an elastic session as the elastic service does. */
export async function startElasticSession(page: Page, session: object): Promise<Started> {
  const { origin, port } = new URL((await page.request.get('/healthz')).url())
  const key = readFileSync(serviceKeyFile(Number(port)), 'utf8')
  const answer = await page.request.post(`${origin}/service/v1/elastic/sessions`, {
    headers: { authorization: `Bearer ${key}` },
    data: session,
  })
  return answer.json()
}
