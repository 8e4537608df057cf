import { expect, type Locator, type Page } from '@playwright/test'
import type { Person } from '#e2e/support/people.ts'
import { signInUnseen } from '#e2e/support/sign-in.ts'
import { rowsOf } from '#e2e/support/table.ts'

/** Opens a screen with default views: journeys run in parallel. */
export async function openWebScreen(page: Page, person: Person, path: string): Promise<void> {
  await signInUnseen(page, person)
  await page.route('**/api/featureflag/pref', (route) => route.fulfill({ json: { status: 'SUCCESS', data: [] } }))
  await page.goto(`${path}${path.includes('?') ? '&' : '?'}customer=100001`)
}

/** Turns the variant of Assignments with groups on, for this person. */
export async function chooseGroupsVariant(page: Page, person: Person): Promise<void> {
  await signInUnseen(page, person)
  const { data } = await (await page.request.get('/api/featureflag/features')).json()
  const on = (data as { name: string; enabled: boolean }[]).filter(({ enabled }) => enabled).map(({ name }) => name)
  const features = [...new Set([...on.filter((name) => name !== 'web-assignments'), 'f1202990'])]
  const headers = { 'X-Requested-With': 'portal' }
  const answer = await page.request.post('/api/featureflag/features', { headers, data: { features } })
  expect(answer.ok()).toBe(true)
}

/** The row of a table that holds a text. */
export const rowWith = (table: Locator, text: string | RegExp) => rowsOf(table).filter({ hasText: text })

/** Ticks the row of a table that holds a text. */
export async function tick(table: Locator, text: string | RegExp): Promise<void> {
  await rowWith(table, text).getByRole('checkbox').check()
}
