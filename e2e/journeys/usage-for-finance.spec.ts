import { readFile } from 'node:fs/promises'
import { expect, test } from '@playwright/test'
import { extractText } from 'unpdf'
import { endedIn } from '#contract/elastic/usage/usage-exports.ts'
import { presetRange } from '#domain/calendar/presets.ts'
import { expectAccessible, expectAccessibleInBothSchemes } from '#e2e/support/axe.ts'
import { goWithin } from '#e2e/support/go-within.ts'
import { PEOPLE } from '#e2e/support/people.ts'
import { attachmentOfMail } from '#e2e/support/received-mail.ts'
import { filterBy } from '#e2e/support/table.ts'
import { openUsage } from '#e2e/support/usage-screen.ts'

const CONTACT = 'paul.pending@aerodyne.example'

test('the usage of a project last month becomes a PDF and a CSV file, and is emailed to a contact', async ({
  page,
}) => {
  test.slow()
  const screen = await openUsage(page, 'administrator', '100001')
  await screen.choosePreset('Last month')
  const days = presetRange('Last month', screen.today)
  await screen.expectRange(days)
  // Rows of the days before may be shown until those of last month have arrived.
  await screen.expectTotal(await screen.count('Last month', []))
  const projects = screen.cells('Project').filter({ hasText: /\S/ })
  await expect(projects.first()).toBeVisible()
  const project = (await projects.first().textContent())?.trim() ?? ''
  await filterBy(screen.grid, 'Project contains', project)
  const criteria = [{ name: 'Project', method: 'CONTAINS' as const, value: project }]
  const total = await screen.count('Last month', criteria)
  await screen.expectTotal(total)
  const name = `usage_100001_${project.replaceAll(/[^A-Za-z0-9.]+/g, '-')}_${days.from.slice(0, 7)}`

  const pdf = page.waitForEvent('download')
  await screen.export('PDF for finance')
  expect((await pdf).suggestedFilename()).toBe(`${name}.pdf`)
  const bytes = new Uint8Array(await readFile(await (await pdf).path()))
  const text = (await extractText(bytes, { mergePages: true })).text.replaceAll(/\s+/g, ' ')
  expect(text).toContain('100001 (Aerodyne Motors)')
  expect(text).toContain(`Project contains “${project}”`)
  // The sums of the table stand under the sums by product and under those by user.
  const costs = screen.grid
    .getByRole('row', { name: /^Total/ })
    .first()
    .locator('[data-col=Charge]')
  await expect(costs).toHaveText(/\d\.\d\d$/)
  const cost = (await costs.textContent())?.trim()
  expect(text.split(` ${cost} `).length).toBeGreaterThan(2)

  const csv = page.waitForEvent('download')
  await screen.button('Export as csv file').click()
  const lines = (await readFile(await (await csv).path(), 'utf8')).trimEnd().split('\r\n')
  expect(lines).toHaveLength(total + 1)

  await test.step('the report of last month has the same in one step', async () => {
    await screen.button('Report for finance').click()
    const report = page.getByRole('dialog', { name: 'Report for finance' })
    await page.getByRole('option', { name: project, exact: true }).click()
    const asked = [endedIn(days, screen.timeZone), { name: 'Project', method: 'EQUALS' as const, value: project }]
    const found = await screen.count('Last month', asked)
    await expect(report.getByRole('status')).toContainText(`${found.toLocaleString('en-US')} transaction`)
    await expect(report.getByRole('status')).toContainText(/hours, [\d,]+\.\d\d AEU/)
    await expectAccessibleInBothSchemes(page)
    const files: string[] = []
    page.on('download', (file) => files.push(file.suggestedFilename()))
    await report.getByRole('button', { name: 'Download PDF and CSV' }).click()
    await expect(report).toBeHidden()
    await expect.poll(() => files.toSorted()).toEqual([`${name}.csv`, `${name}.pdf`])
  })

  await screen.export('Email to…')
  const dialog = page.getByRole('dialog', { name: 'Email to…' })
  await expect(dialog).toBeVisible()
  await expectAccessible(page)
  await expect(dialog.getByRole('button', { name: 'Send email' })).toBeDisabled()
  await dialog.getByRole('combobox', { name: 'Recipients' }).click()
  await page.getByRole('option', { name: CONTACT }).click()
  await page.keyboard.press('Escape')
  await dialog.getByRole('button', { name: 'Send email' }).click()
  await expect(page.getByText('Email has been sent.')).toBeVisible()
  await expect(dialog).toBeHidden()
  const attached = await attachmentOfMail(`To: ${CONTACT}`, 'Usage transactions', PEOPLE.administrator)
  expect(attached).toMatchObject({ name: `${name}.pdf`, text: expect.stringMatching(/^%PDF-/) })

  await goWithin(page, '/statementv2?customer=100001&tab=emailed')
  const emailed = page.getByRole('grid', { name: 'Emailed statements' })
  await expect(
    emailed.getByRole('button', { name: `Download the PDF file: Usage statement from ${days.from}` }).first(),
  ).toBeVisible()
})
