import { expect, type Page, test } from '@playwright/test'
import type { Task } from '#contract/tasks/tasks.ts'
import { expectAccessibleInBothSchemes } from '#e2e/support/axe.ts'
import { filterBy } from '#e2e/support/table.ts'
import { openUsage, type UsageScreen } from '#e2e/support/usage-screen.ts'

const toolbar = (page: Page) => page.getByRole('banner').getByRole('button', { name: /^Background tasks/ })
const list = (page: Page) => page.getByRole('dialog', { name: /^Background tasks/ })
const lines = (page: Page) => list(page).getByRole('listitem')

/** Shows finished tasks as running until `finish` is called: an export of the demo data is done within a second. */
async function holdTasks(page: Page): Promise<{ finish(): void }> {
  let isHeld = true
  await page.route('**/api/tasks', async (route) => {
    const answer = await route.fetch()
    const { data } = (await answer.json()) as { data: Task[] }
    const held = data.map((task) => ({ ...task, state: 'running', done: 1, total: 2, keptUntil: null }))
    await route.fulfill({ json: { status: 'SUCCESS', data: isHeld ? held : data } })
  })
  return {
    finish() {
      isHeld = false
    },
  }
}

test.afterEach(({ page }) => page.unrouteAll({ behavior: 'ignoreErrors' }))

/** Requests an export of what is filtered, twice: the second start shows the first. */
async function startExport(page: Page, screen: UsageScreen): Promise<void> {
  await screen.export('Background exports')
  const dialog = page.getByRole('dialog', { name: 'Background exports' })
  const start = dialog.getByRole('button', { name: /^Export [\d,]+ transactions$/ })
  await start.click()
  await expect(dialog.getByRole('listitem')).toHaveCount(1)
  await start.click()
  await expect(dialog.getByRole('status').last()).toContainText('already')
  await expect(dialog.getByRole('listitem'), 'a second start shows the first').toHaveCount(1)
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
}

test('a task is canceled, or followed from every screen until its file is downloaded', async ({ page }) => {
  const tasks = await holdTasks(page)
  const screen = await openUsage(page, 'support', '100001')
  await screen.choosePreset('Last month')
  await filterBy(screen.grid, 'Product contains', 'e')
  await screen.expectTotal(await screen.count('Last month', [{ name: 'Product', method: 'CONTAINS', value: 'e' }]))

  await startExport(page, screen)
  await toolbar(page).click()
  await lines(page)
    .getByRole('button', { name: /^Cancel usage-transactions/ })
    .click()
  const question = page.getByRole('dialog', { name: 'Confirm' })
  await expect(question).toContainText('It has not finished and will be stopped.')
  await question.getByRole('button', { name: 'Cancel export' }).click()
  await expect(list(page)).toContainText('No background tasks.')
  // While the question is still visible, Escape closes it and not the menu.
  await expect(question).toBeHidden()
  await list(page).press('Escape')
  await expect(toolbar(page)).toBeHidden()

  await startExport(page, screen)
  await expect(toolbar(page)).toHaveAccessibleName('Background tasks: 1 running')

  // Other screens, other accounts and a reload change nothing.
  await page.goto('/notifications?customer=100002')
  await expect(toolbar(page)).toHaveAccessibleName('Background tasks: 1 running')
  await toolbar(page).press('Enter')
  await expect(lines(page)).toHaveCount(1)
  await expect(lines(page)).toContainText('Usage transactions')
  await expect(lines(page)).toContainText('Aerodyne Motors (100001)')
  await expect(lines(page)).toContainText(/\d{4}-\d\d-01 to \d{4}-\d\d-\d\d · Product contains “e”/)
  await expect(lines(page)).toContainText('1 of 2 transactions written')
  await expect(lines(page)).toContainText(/Requested [\d-]+ [\d:]+ by sam\.support@vendor\.example/)
  await expect(lines(page).getByRole('progressbar')).toBeVisible()
  await expectAccessibleInBothSchemes(page)
  await page.keyboard.press('Escape')
  await expect(list(page)).toBeHidden()
  await expect(toolbar(page)).toBeFocused()

  tasks.finish()
  await expect(page.getByText(/^usage-transactions_100001_.*\.csv is ready\./)).toBeVisible()
  await expect(toolbar(page)).toHaveAccessibleName('Background tasks: 1 ready to download')
  await page.setViewportSize({ width: 360, height: 740 })
  await toolbar(page).click()
  await expect(lines(page)).toContainText('kept until')
  const download = page.waitForEvent('download')
  await lines(page).getByRole('link', { name: 'Download' }).press('Enter')
  expect((await download).suggestedFilename()).toMatch(/^usage-transactions_100001_/)
  await expect(toolbar(page), 'nothing is waiting any more').toHaveAccessibleName('Background tasks')

  await lines(page)
    .getByRole('button', { name: /^Delete usage-transactions/ })
    .press('Enter')
  await page.getByRole('button', { name: 'Delete export' }).press('Enter')
  await expect(list(page)).toContainText('No background tasks.')
  await expect(question).toBeHidden()
  // The focused button disappears with its line.
  await list(page).press('Escape')
  await expect(toolbar(page)).toBeHidden()
})
