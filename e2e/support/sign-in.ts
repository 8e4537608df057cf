import { expect, type Page } from '@playwright/test'
import { PEOPLE, type Person } from '#e2e/support/people.ts'

/** Signs in a demo person by login hint and opens `returnTo`. */
export async function signIn(page: Page, person: Person, returnTo = '/home'): Promise<void> {
  await page.goto(signInAddress(person, returnTo))
  await expectSignedIn(page, person)
}

/** Signs in without opening a page. */
export async function signInUnseen(page: Page, person: Person): Promise<void> {
  await page.request.get(signInAddress(person, '/healthz'))
  await expectSignedIn(page, person)
}

function signInAddress(person: Person, returnTo: string): string {
  return `/auth/login?${new URLSearchParams({ login_hint: PEOPLE[person], returnTo })}`
}

async function expectSignedIn(page: Page, person: Person): Promise<void> {
  const me = await page.request.get('/api/getUserDetails')
  expect(await me.json(), `${PEOPLE[person]} is signed in`).toMatchObject({ data: { email: PEOPLE[person] } })
}
