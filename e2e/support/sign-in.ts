import { type Cookie, expect, type Page } from '@playwright/test'
import { PEOPLE, type Person } from '#e2e/support/people.ts'

/** Sessions of this process by person. Signing in again takes seven requests. */
const sessions = new Map<Person, Cookie>()

/** Opens `returnTo` as a demo person, in a session that journeys share. One that signs out or ends its session uses `signInAnew`. */
export async function signIn(page: Page, person: Person, returnTo = '/home'): Promise<void> {
  const session = sessions.get(person)
  if (!session) return keepSession(page, person, () => signInAnew(page, person, returnTo))
  await page.context().addCookies([session])
  await page.goto(returnTo)
}

/** Signs in without opening a page. */
export async function signInUnseen(page: Page, person: Person): Promise<void> {
  const session = sessions.get(person)
  if (session) return page.context().addCookies([session])
  await keepSession(page, person, async () => {
    await page.request.get(signInAddress(person, '/healthz'))
    await expectSignedIn(page, person)
  })
}

/** Signs in a demo person by login hint, in a session that no other journey has, and opens `returnTo`. */
export async function signInAnew(page: Page, person: Person, returnTo = '/home'): Promise<void> {
  await page.goto(signInAddress(person, returnTo))
  await expectSignedIn(page, person)
}

async function keepSession(page: Page, person: Person, begin: () => Promise<void>): Promise<void> {
  await begin()
  const session = (await page.context().cookies()).find(({ name }) => name === 'session')
  if (session) sessions.set(person, session)
}

function signInAddress(person: Person, returnTo: string): string {
  return `/auth/login?${new URLSearchParams({ login_hint: PEOPLE[person], returnTo })}`
}

async function expectSignedIn(page: Page, person: Person): Promise<void> {
  const me = await page.request.get('/api/getUserDetails')
  expect(await me.json(), `${PEOPLE[person]} is signed in`).toMatchObject({ data: { email: PEOPLE[person] } })
}
