import { type APIRequestContext, type Cookie, expect, type Page, request } from '@playwright/test'
import { PEOPLE, type Person } from '#e2e/support/people.ts'

/** Sessions of this process by person. Signing in takes seven requests. */
const sessions = new Map<Person, Cookie>()

/** Opens `returnTo` as a demo person, in a session that journeys share. A journey that signs out uses `signInAnew`. */
export async function signIn(page: Page, person: Person, returnTo = '/home'): Promise<void> {
  await signInUnseen(page, person)
  await page.goto(returnTo)
}

/** Signs in without opening a page. */
export async function signInUnseen(page: Page, person: Person): Promise<void> {
  await page.context().addCookies([sessions.get(person) ?? (await startSession(page, person))])
}

/** Signs in a demo person by login hint, in a session that no other journey has, and opens `returnTo`. */
export async function signInAnew(page: Page, person: Person, returnTo = '/home'): Promise<void> {
  await page.goto(signInAddress(person, returnTo))
  await expectSignedIn(page.request, person)
}

/** Signs in outside of the browser: a sign-in ends the session that the browser has, which other journeys may share. */
async function startSession(page: Page, person: Person): Promise<Cookie> {
  const { origin } = new URL((await page.request.get('/healthz')).url())
  const outside = await request.newContext({ baseURL: origin })
  await outside.get(signInAddress(person, '/healthz'))
  await expectSignedIn(outside, person)
  const session = (await outside.storageState()).cookies.find(({ name }) => name === 'session')
  await outside.dispose()
  if (!session) throw new Error(`${PEOPLE[person]} has no session cookie`)
  sessions.set(person, session)
  return session
}

function signInAddress(person: Person, returnTo: string): string {
  return `/auth/login?${new URLSearchParams({ login_hint: PEOPLE[person], returnTo })}`
}

async function expectSignedIn(api: APIRequestContext, person: Person): Promise<void> {
  const me = await api.get('/api/getUserDetails')
  expect(await me.json(), `${PEOPLE[person]} is signed in`).toMatchObject({ data: { email: PEOPLE[person] } })
}
