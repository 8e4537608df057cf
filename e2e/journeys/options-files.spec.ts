import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, type Page, test } from '@playwright/test'
import { expectAccessible } from '#e2e/support/axe.ts'
import { CUSTOMER, hostWithProducts, post } from '#e2e/support/hosts.ts'
import { signIn, signInUnseen } from '#e2e/support/sign-in.ts'

const card = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const text = (page: Page) => page.getByRole('textbox', { name: 'Text', exact: true })
const panel = (page: Page, said: string) => page.getByText(said, { exact: true })

/** Runs the collector of the examples, which installs one options file. */
function startCollector(env: NodeJS.ProcessEnv): ChildProcess {
  return spawn(process.execPath, ['examples/license-collector/collector.ts'], {
    stdio: 'ignore',
    env: { PATH: process.env.PATH, CUSTOMER, INTERVAL_SECONDS: '1', ...env },
  })
}

test('an administrator writes an options file and reserves seats, and the collector installs the file', async ({
  page,
}) => {
  test.slow()
  await signInUnseen(page, 'administrator')
  const host = await hostWithProducts(page, 'options')
  const folder = mkdtempSync(join(tmpdir(), 'options-journey-'))
  let collector: ChildProcess | undefined
  try {
    await page.goto(`/license-servers/${host.serverId}?customer=${CUSTOMER}`)
    await page.getByRole('link', { name: 'Options files' }).click()
    const heading = page.getByRole('heading', { level: 1 })
    await expect(heading).toContainText('Options file of')
    const daemon = ((await heading.textContent()) ?? '').split(' ').at(-1)!
    const { data } = await post(page, '/api/license-servers/options', { serverId: host.serverId, daemon })
    const { feature } = (data.file.features as { feature: string; seats: number | null }[]).find(({ seats }) => seats)!

    await test.step('a line with an error says what is wrong and cannot be saved', async () => {
      await text(page).fill(`# ours\nGROUP crash ann bea\nMAX 1 ${feature} GROUP crahs\n`)
      await expect(card(page, 'Problems')).toContainText('Line 3: There is no group crahs.')
      await expect(page.getByRole('button', { name: 'Review and save' })).toHaveAttribute('aria-disabled', 'true')
    })
    await test.step('a rule is edited in words, and the difference is shown before it is saved', async () => {
      await page.getByRole('button', { name: 'Edit line 3' }).click()
      const rule = page.getByRole('dialog', { name: 'Edit line 3' })
      await rule.getByRole('combobox', { name: 'Name' }).fill('crash')
      await page.getByRole('option', { name: 'crash', exact: true }).click()
      await rule.getByRole('button', { name: 'Change rule' }).click()
      await expect(text(page)).toHaveValue(`# ours\nGROUP crash ann bea\nMAX 1 ${feature} GROUP crash\n`)
      await expectAccessible(page)
      await page.getByRole('button', { name: 'Review and save' }).click()
      const review = page.getByRole('dialog', { name: 'Save this options file?' })
      await expect(review).toContainText(`MAX 1 ${feature} GROUP crash`)
      await expectAccessible(page)
      await review.getByRole('button', { name: 'Save version' }).click()
      await expect(panel(page, 'The options file has been saved.')).toBeVisible()
      await expect(card(page, 'Versions')).toContainText('Version 1')
    })
    const file = join(folder, `${daemon}.opt`)
    await test.step('the collector installs it, and the page says so', async () => {
      writeFileSync(file, '# written by hand\n')
      const token = await post(page, '/api/tokens/create', {
        name: `Collector ${host.serverName}`,
        scopes: ['license-use:write'],
        days: 1,
      })
      collector = startCollector({
        PORTAL: new URL(page.url()).origin,
        TOKEN: token.data.token,
        SERVER_ID: host.serverId,
        OPTIONS_FILE: file,
        STATE_FOLDER: join(folder, 'state'),
      })
      await expect.poll(() => readFileSync(file, 'utf8')).toContain(`MAX 1 ${feature} GROUP crash`)
    })
    await test.step('a reservation is in the installed file of today', async () => {
      await page.getByRole('button', { name: 'Reserve seats' }).click()
      const dialog = page.getByRole('dialog', { name: 'Reserve seats' })
      await dialog.getByLabel('Feature').selectOption(feature)
      await expectAccessible(page)
      await dialog.getByRole('button', { name: 'Reserve', exact: true }).click()
      await expect(panel(page, 'The seats are reserved.')).toBeVisible()
      await expect(card(page, 'Reservations')).toContainText(`1 seat of ${feature} for crash`)
      await expect.poll(() => readFileSync(file, 'utf8')).toContain(`RESERVE 1 ${feature} GROUP crash`)
      expect(existsSync(`${file}.previous`)).toBe(true)
      await expect(async () => {
        await page.reload()
        await expect(card(page, 'Installed')).toContainText('Up to date')
      }).toPass()
    })
  } finally {
    if (collector?.exitCode === null) {
      const ended = once(collector, 'exit')
      collector.kill('SIGKILL')
      await ended
    }
    rmSync(folder, { recursive: true })
  }
})

test('a viewer sees options files and cannot change them', async ({ page }) => {
  await signIn(page, 'viewer', '/license-servers/a0369f1c2e01,a0369f1c2e02,a0369f1c2e03/options?customer=100001')
  await expect(page.getByRole('table', { name: 'Rules' })).toContainText('Group crash: arnold, bea, chiara.')
  await expect(text(page)).toBeDisabled()
  await expect(page.getByRole('button', { name: 'Add rule' })).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Reserve seats' })).toHaveAttribute('aria-disabled', 'true')
  await expect(card(page, 'Installed')).toContainText('Up to date')
})
