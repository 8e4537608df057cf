import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, expect, type Page, test } from '@playwright/test'
import { expectAccessible, expectAccessibleInBothSchemes } from '#e2e/support/axe.ts'
import { PEOPLE } from '#e2e/support/people.ts'
import { startOpenIdProvider } from '#server/testing/outside/openid-provider.ts'
import { limit } from '#server/testing/slowness.ts'

const { administrator: ADA, coordinator: CORA, viewer: VIC } = PEOPLE
const CUSTOMER = '100001'

/** A portal of its own: once a provider is on, everybody is asked for their email address first. */
const port = Number(process.env.E2E_PORT ?? 8190) + 3600
const address = `http://127.0.0.1:${port}`
const folder = mkdtempSync(join(tmpdir(), 'sign-in-provider-'))
const txtRecords = join(folder, 'txt-records.json')
let portal: ChildProcess
let provider: Awaited<ReturnType<typeof startOpenIdProvider>>
test.beforeAll(async () => {
  provider = await startOpenIdProvider({
    origin: address,
    callback: `/auth/callback/${CUSTOMER}`,
    people: Object.fromEntries([ADA, CORA, VIC].map((email) => [email, { email, groups: ['Engineers'] }])),
  })
  writeFileSync(txtRecords, '{}')
  const env = {
    ...process.env,
    PORT: String(port),
    TXT_RECORDS: txtRecords,
    PROVIDER_HOST: new URL(provider.issuer).host,
  }
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
  await provider.close()
  rmSync(folder, { recursive: true, force: true })
})

async function newPage(browser: Browser): Promise<Page> {
  return (await browser.newContext()).newPage()
}

async function enterEmail(page: Page, email: string): Promise<void> {
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  await page.getByLabel('Email').fill(email)
  await page.getByRole('button', { name: 'Continue' }).click()
}

test('an administrator proves a domain, tests the provider and enforces it; people sign in by it, and by the break-glass address', async ({
  browser,
  page,
}) => {
  test.slow()
  const screen = `${address}/sign-in-provider?customer=${CUSTOMER}`
  await page.goto(
    `${address}/auth/login?${new URLSearchParams({ login_hint: ADA, returnTo: `/sign-in-provider?customer=${CUSTOMER}` })}`,
  )
  await expect(page.getByRole('heading', { name: 'Sign-in', level: 1 })).toBeVisible()
  await expect(page.getByText('There are no domains.')).toBeVisible()

  await page.getByRole('button', { name: 'Add domain' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add domain' })
  await dialog.getByLabel('Domain').fill('gmail.com')
  await dialog.getByLabel('Domain').press('Enter')
  await expect(dialog).toContainText('This domain belongs to a public mail service.')
  await dialog.getByLabel('Domain').fill('aerodyne.example')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Add domain' }).click()
  const domain = page
    .getByRole('list', { name: 'Domains' })
    .getByRole('listitem')
    .filter({ hasText: 'aerodyne.example' })
  await expect(domain).toContainText('Not proven yet')
  await domain.getByRole('button', { name: 'Check now: aerodyne.example' }).click()
  await expect(page.getByText('aerodyne.example has no such TXT record yet.')).toBeVisible()
  const value = /licensing-portal-domain=[\w-]+/.exec((await domain.textContent()) ?? '')?.[0] ?? ''
  writeFileSync(txtRecords, JSON.stringify({ '_licensing-portal.aerodyne.example': [value] }))
  await domain.getByRole('button', { name: 'Check now: aerodyne.example' }).click()
  await expect(domain.getByText('Proven', { exact: true })).toBeVisible()

  const settings = page.getByRole('region', { name: 'Provider', exact: true })
  await expect(settings).toContainText(`${address}/auth/callback/${CUSTOMER}`)
  await settings.getByLabel('Issuer').fill(provider.issuer)
  await settings.getByLabel('Client id').fill(provider.client.id)
  await settings.getByLabel('Client secret', { exact: true }).fill(provider.client.secret)
  await settings.getByLabel('Claim with the groups').fill('groups')
  await settings.getByRole('button', { name: 'Add group' }).click()
  await settings.getByRole('textbox', { name: 'Group', exact: true }).fill('Engineers')
  await settings.getByRole('button', { name: 'Save provider' }).click()
  await expect(page.getByText('The provider has been saved.')).toBeVisible()

  const use = page.getByRole('region', { name: 'Test and switch on' })
  await expect(use).toContainText('Not tested yet')
  const opening = page.context().waitForEvent('page')
  await use.getByRole('link', { name: 'Test sign-in' }).click()
  const tested = await opening
  await expect(tested.getByRole('heading', { name: 'The sign-in works' })).toBeVisible()
  await expect(tested.getByRole('row', { name: 'email ada.admin@aerodyne.example' })).toBeVisible()
  await expectAccessible(tested)
  await tested.close()
  await page.bringToFront()
  await page.reload()
  await expect(use).toContainText(/Tested .*ada\.admin@aerodyne\.example/)
  await expectAccessibleInBothSchemes(page)

  await use.getByRole('radio', { name: 'Enforced' }).check()
  await use.getByLabel('Break-glass address').selectOption(CORA)
  await use.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('dialog', { name: 'Confirm' }).getByRole('button', { name: 'Enforce' }).click()
  await enterEmail(page, ADA)
  await expect(page).toHaveURL(screen)
  await expect(page.getByRole('radio', { name: 'Enforced' })).toBeChecked()

  const vic = await newPage(browser)
  await vic.goto(`${address}/home`)
  await expect(vic.getByRole('textbox')).toBeVisible()
  await expectAccessible(vic)
  await enterEmail(vic, VIC)
  await expect(vic).toHaveURL(new RegExp(`/home[?].*customer=${CUSTOMER}`))
  await vic.context().close()

  const cora = await newPage(browser)
  await cora.goto(screen)
  await cora.getByLabel('Email').fill('nobody')
  await cora.getByRole('button', { name: 'Continue' }).click()
  await expect(cora.getByRole('alert')).toHaveText('Incorrect Email Format.')
  await enterEmail(cora, CORA)
  await expect(cora.getByRole('radio', { name: 'Enforced' })).toBeChecked()
  await cora.context().close()
})
