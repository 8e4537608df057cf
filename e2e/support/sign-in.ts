import { expect, type Page } from '@playwright/test'
import { PEOPLE, type Person } from '#e2e/support/people.ts'

/** Signs a demo person in as a link with a login hint does, and ends on the page that `returnTo` names. */
export async function signIn(page: Page, person: Person, returnTo = '/home'): Promise<void> {
  const query = new URLSearchParams({ login_hint: PEOPLE[person], returnTo })
  await page.goto(`/auth/login?${query}`)
  const me = await page.request.get('/api/getUserDetails')
  expect(await me.json(), `${PEOPLE[person]} is signed in`).toMatchObject({ data: { email: PEOPLE[person] } })
}
