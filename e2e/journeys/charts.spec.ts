import { readFile } from 'node:fs/promises'
import { expect, test } from '@playwright/test'
import { expectAccessibleInBothSchemes } from '#e2e/support/axe.ts'
import { chooseInChart } from '#e2e/support/chart.ts'
import { goWithin } from '#e2e/support/go-within.ts'
import { signIn } from '#e2e/support/sign-in.ts'

test('a chart can be read by keyboard, as a table and as a file, and Home leads to it', async ({ page }) => {
  await signIn(page, 'viewer', '/elastic?customer=100001')
  const card = page.getByRole('region', { name: /^Daily usage, AEU of 100001$/ })
  const chart = card.getByRole('application')
  const reading = card.getByRole('status')

  await test.step('the forecast says when units run out', async () => {
    await expect(
      card.getByText(/AEU used in the last 90 days and today\. At the average of the last 30 days/),
    ).toBeVisible()
    await expect(chart.getByRole('img', { name: /^Bars of the units used on each day/ })).toBeVisible()
    await expect(chart).toHaveAccessibleDescription(/^Used \(AEU\): lowest .* highest .* Forecast: /)
  })
  await test.step('arrow keys read one day after the other, and Escape stops reading', async () => {
    await chart.focus()
    await page.keyboard.press('Home')
    const first = (await reading.textContent()) ?? ''
    expect(first).toMatch(/^\d{4}-\d\d-\d\d: Used \(AEU\) [\d,]+\.\d\d$/)
    // The tooltip shows what is read out.
    await expect(card.getByText(first)).toHaveCount(2)
    await page.keyboard.press('ArrowRight')
    await expect(reading).not.toHaveText(first)
    await page.keyboard.press('ArrowLeft')
    await expect(reading).toHaveText(first)
    await page.keyboard.press('End')
    await expect(reading).toHaveText(/: Forecast [\d,]+\.\d\d$/)
    await page.keyboard.press('Escape')
    await expect(reading).toHaveText('')
    await expect(chart).not.toBeFocused()
  })
  await test.step('table and file have the same numbers', async () => {
    const rows = card.getByRole('row')
    await expect(rows).toHaveCount(0)
    await chooseInChart(card, 'Show as a table')
    await expect(rows.first()).toBeVisible()
    const texts = await rows.evaluateAll((all) =>
      all.map((row) => [...row.children].map((cell) => (cell.textContent ?? '').replaceAll(',', ''))),
    )
    expect(texts[0]).toEqual(['Day', 'Used (AEU)', 'Forecast'])
    const download = page.waitForEvent('download')
    await chooseInChart(card, 'Download as CSV')
    const file = await readFile(await (await download).path(), 'utf8')
    const lines = file.replace('\ufeff', '').trimEnd().split('\r\n')
    expect(lines.map((line) => line.split(',').map((cell) => cell.replaceAll('"', '')))).toEqual(texts)
    await expectAccessibleInBothSchemes(page)
    await chooseInChart(card, 'Hide the table')
    await expect(rows).toHaveCount(0)
  })
  await test.step('the line on Home leads to the chart, which fits on a phone', async () => {
    await page.setViewportSize({ width: 390, height: 844 })
    await goWithin(page, '/home?customer=100001')
    await page.getByRole('region', { name: 'Elastic', exact: true }).getByRole('link').first().click()
    await expect(chart.getByRole('img')).toBeVisible()
    await chart.focus()
    await page.keyboard.press('End')
    await expect(reading).toHaveText(/: Forecast [\d,]+\.\d\d$/)
    expect(await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0)
  })
})
