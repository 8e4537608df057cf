import { readFile } from 'node:fs/promises'
import { expect, test } from '@playwright/test'
import { expectAccessible } from '#e2e/support/axe.ts'
import { openUsage } from '#e2e/support/usage-screen.ts'
import { limit } from '#server/testing/slowness.ts'

test('a large export runs in the background, is not made twice, and can be deleted', async ({ page }) => {
  test.slow()
  const screen = await openUsage(page, 'busops', '100001')
  await screen.choosePreset('Max')
  const total = await screen.count('Max')
  await screen.expectTotal(total)
  await screen.button('Export as csv file').click()
  const dialog = page.getByRole('dialog', { name: 'Background exports' })
  await expect(dialog).toContainText(
    'Total number of available transactions exceeds 30,000. Apply filters to reduce selection.',
  )
  await expectAccessible(page)
  const start = dialog.getByRole('button', { name: `Export ${total.toLocaleString('en-US')} transactions` })
  await start.click()
  const lines = dialog.getByRole('list', { name: 'Your exports' }).getByRole('listitem')
  await expect(lines).toContainText(/Waiting to start|transactions written|kept until/)
  await dialog.getByRole('button', { name: 'Close' }).last().click()

  await test.step('the export continues while another page is open', async () => {
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Elastic Licensing' }).click()
    await expect(page).toHaveURL(/\/elastic\?/)
    await page.goBack()
    await screen.choosePreset('Max')
    await screen.expectTotal(total)
    await screen.export('Background exports')
    await expect(lines).toContainText('kept until', { timeout: limit(60_000) })
    const download = page.waitForEvent('download')
    await lines.getByRole('link', { name: 'Download' }).click()
    const text = await readFile(await (await download).path(), 'utf8')
    // The head and a line for each transaction. No demo value contains a line break.
    expect(text.trimEnd().split(/\r?\n/)).toHaveLength(1 + total)
  })

  await test.step('a second request finds the export', async () => {
    await start.click()
    await expect(dialog.getByRole('status').last()).toContainText('You have this export already')
    await expect(lines).toHaveCount(1)
  })

  await test.step('the export is deleted after a confirmation', async () => {
    const name = `usage-transactions_100001_2018-01-01_${screen.today}.csv`
    const remove = lines.getByRole('button', { name: `Delete ${name}` })
    await remove.click()
    const question = page.getByRole('dialog', { name: 'Confirm' })
    await expect(question).toContainText(`Do you want to delete the export “${name}”?`)
    await question.getByRole('button', { name: 'Cancel' }).click()
    await expect(lines).toHaveCount(1)
    await remove.press('Enter')
    await question.getByRole('button', { name: 'Delete export' }).click()
    await expect(lines).toHaveCount(0)
    await expect(dialog).not.toContainText('You have this export already')
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
  })

  await test.step('a failed export says why', async () => {
    const failure = 'The portal ran out of disk space. Please try again later.'
    const one = {
      id: '00000000-0000-4000-8000-000000000001',
      customerNumber: '100001',
      accountName: 'Aerodyne Motors',
      timeZone: 'Europe/Berlin',
      kind: 'usage-export',
      request: {},
      requestedBy: 'olivia.ops@vendor.example',
      state: 'failed',
      fileName: 'usage-transactions_100001_start_today.csv',
      total: 40_000,
      done: 10_000,
      bytes: 0,
      requestedAt: '2026-11-15T10:00:00.000Z',
      finishedAt: '2026-11-15T10:01:00.000Z',
      keptUntil: null,
      downloadedAt: null,
      failure,
    }
    await page.route('**/api/tasks', (route) => route.fulfill({ json: { status: 'SUCCESS', data: [one] } }))
    await page.reload()
    await screen.export('Background exports')
    await expect(dialog).toContainText(`Failed: ${failure}`)
  })
})
