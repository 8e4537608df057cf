import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, type Page, test } from '@playwright/test'
import { PEOPLE } from '#e2e/support/people.ts'
import { limit } from '#server/testing/slowness.ts'

// One portal for both, in turn.
test.describe.configure({ mode: 'default' })

/** A portal of its own, whose people signed in at the provider of their company two hours ago. */
const port = Number(process.env.E2E_PORT ?? 8190) + 3000
const address = `http://127.0.0.1:${port}`
let portal: ChildProcess
test.beforeAll(async () => {
  const env = { ...process.env, PORT: String(port), SECONDS_SIGNED_IN: '7200' }
  portal = spawn(process.execPath, ['e2e/support/serve-portal.ts'], { env, stdio: 'ignore' })
  const isReady = () =>
    fetch(`${address}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    )
  await expect.poll(isReady, { timeout: limit(90_000) }).toBe(true)
})
test.afterAll(async () => {
  portal.kill('SIGTERM')
  if (portal.exitCode === null) await once(portal, 'exit')
})

/** The provider forgets that it has just asked the person. */
async function openWithOldSignIn(page: Page, returnTo: string): Promise<void> {
  await page.context().clearCookies({ name: /^_session/ })
  await page.goto(`${address}/auth/login?${new URLSearchParams({ login_hint: PEOPLE.administrator, returnTo })}`)
}
const signInAgain = async (page: Page) => {
  const question = page.getByRole('dialog', { name: 'Sign in again' })
  await expect(question).toContainText('It needs a sign-in of the last 60 minutes.')
  await question.getByRole('button', { name: 'Sign in again' }).click()
  await expect(page.getByText('You have unsaved changes from')).toBeVisible()
}
const stored = (page: Page) => page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]))

test('a PIN is shown after a fresh sign-in; a new one survives the next, and is in clear nowhere', async ({ page }) => {
  await openWithOldSignIn(page, '/clscredentials?customer=100001')
  const card = page.getByRole('region', { name: 'Elastic License Server PIN' })
  const pin = card.getByRole('textbox', { name: 'PIN', exact: true })
  await expect(card).toContainText('It needs a sign-in of the last 60 minutes.')
  await expect(page.getByRole('textbox', { name: 'Allowed Usernames' })).toBeVisible()
  await card.getByRole('button', { name: 'Sign in again' }).click()
  await expect(page).toHaveURL(`${address}/clscredentials?customer=100001`)
  await expect(pin).toHaveValue(/^\d{6}$/)
  const next = (await pin.inputValue()) === '271828' ? '314159' : '271828'
  await pin.fill(next)
  expect(await stored(page)).not.toContain(next)
  const tab = await page.context().newPage()
  await openWithOldSignIn(tab, '/home')
  await tab.close()
  await card.getByRole('button', { name: 'Change PIN' }).click()
  await page.getByRole('dialog', { name: 'Confirm' }).getByRole('button', { name: 'Change PIN' }).click()
  const left = page.waitForRequest((request) => request.url().includes('/auth/login'))
  await signInAgain(page)
  expect(decodeURIComponent((await left).url())).not.toContain(next)
  await expect(page).toHaveURL(`${address}/clscredentials?customer=100001`)
  expect(await stored(page)).not.toContain(next)
  await page.getByRole('button', { name: 'Restore changes' }).click()
  await expect(pin).toHaveValue(next)
  await card.getByRole('button', { name: 'Change PIN' }).click()
  await page.getByRole('dialog', { name: 'Confirm' }).getByRole('button', { name: 'Change PIN' }).click()
  await expect(page.getByText('The PIN has been changed.')).toBeVisible()
})

test('what was typed to replace a token is offered after the fresh sign-in', async ({ page }) => {
  await openWithOldSignIn(page, '/tokens?customer=100001')
  const replace = page.getByRole('button', { name: /^Replace: / }).first()
  await replace.click()
  const dialog = page.getByRole('dialog', { name: /^Replace "/ })
  await dialog.getByLabel('Days').fill('45')
  await dialog.getByRole('button', { name: 'Replace token' }).click()
  const question = page.getByRole('dialog', { name: 'Sign in again' })
  await question.getByRole('button', { name: 'Sign in again' }).click()
  await expect(question).toBeHidden()
  await expect(page).toHaveURL(/\/tokens/)
  await replace.click()
  await dialog.getByRole('button', { name: 'Restore changes' }).click()
  await expect(dialog.getByLabel('Days')).toHaveValue('45')
  await dialog.getByRole('button', { name: 'Replace token' }).click()
  await expect(page.getByText('The token has been replaced.')).toBeVisible()
})
