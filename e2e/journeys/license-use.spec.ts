import { expect, test } from '@playwright/test'
import { button, dialog } from '#e2e/support/activations-screen.ts'
import { expectAccessible } from '#e2e/support/axe.ts'
import { portalTime } from '#e2e/support/portal-time.ts'
import { signIn } from '#e2e/support/sign-in.ts'
import { rowsOf } from '#e2e/support/table.ts'

const PRODUCT = 'Acoustics Response'
/** The feature of this product. No license server of the demo data has reported it. */
const FEATURE = 'acoustics'

/** Yesterday: two people take all seats at 9, a third one is turned away, and one comes back. */
function logOf(day: string): string {
  const [year, month, date] = day.split('-').map(Number)
  const denied = '(Licensed number of users already reached. (-4,342))'
  return [
    `8:00:00 (lmgrd) TIMESTAMP ${month}/${date}/${year}`,
    `9:00:00 (ansyslmd) OUT: "${FEATURE}" ann@pc-1  (3 licenses)`,
    `9:10:00 (ansyslmd) OUT: "${FEATURE}" bob@pc-2  `,
    `9:20:00 (ansyslmd) DENIED: "${FEATURE}" cid@pc-3  ${denied}`,
    '9:30:00 (ansyslmd) OUT: ',
    `10:30:00 (ansyslmd) IN: "${FEATURE}" ann@pc-1  (3 licenses)`,
    `14:00:00 (lmgrd) TIMESTAMP ${month}/${date}/${year}`,
    '',
  ].join('\n')
}

test('an uploaded log shows peaks, a heat map and who was turned away, and becomes a plan and a draft order', async ({
  page,
}) => {
  test.slow()
  // Not the administrator, in whose header other journeys would find the task of the upload.
  await signIn(page, 'coordinator', '/license-use?customer=100001')
  const yesterday = new Date((await portalTime(page)).getTime() - 86_400_000).toISOString().slice(0, 10)
  await button(page, 'Upload log').click()
  const upload = dialog(page, 'Upload log')
  const server = upload.getByLabel('License server')
  const choose = (log: string) =>
    upload
      .locator('input[type=file]')
      .setInputFiles({ name: 'debug.log', mimeType: 'text/plain', buffer: Buffer.from(log) })
  await expect(server).toHaveValue('')
  const started = '7:00:00 (lmgrd) FlexNet Licensing (v11.19.6) started on lic-berlin-01 (linux) (3/9/2019)'
  await choose(`${started}\n${logOf(yesterday).replaceAll('ansyslmd', 'sim')}`)
  await expect(server.locator('option:checked')).toHaveText('lic-berlin-01')
  await button(upload, 'Upload').click()
  const question = dialog(page, 'Confirm')
  await expect(question).toContainText('The log is of vendor daemon sim.')
  await expect(question).toContainText(/The log begins on 2019-03-09, before the first license file of lic-berlin-01/)
  await button(question, 'Cancel').click()
  await choose(logOf(yesterday))
  await button(upload, 'Upload').click()
  await expect(upload).toContainText(
    `debug.log imported: 2 sessions, 1 denial. From ${yesterday} 09:00 to ${yesterday} 14:00`,
  )
  await expectAccessible(page)
  await button(upload, 'Show that day').click()
  await expect(upload).toBeHidden()
  await expect(page.getByText(`From: ${yesterday} To: ${yesterday}`)).toBeVisible()
  const features = page.getByRole('grid', { name: 'Features' })
  await expect(features).not.toContainText('board_pi')
  await page.getByRole('button', { name: /^Show \d+ unused$/ }).click()
  await expect(features).toContainText('board_pi')
  await page.getByRole('button', { name: /^Hide \d+ unused$/ }).click()
  await rowsOf(features).filter({ hasText: FEATURE }).click()
  const details = page.getByRole('region', { name: `Details of ${FEATURE} on lic-berlin-01` })
  const heat = details.getByRole('table', { name: /^Most seats in use by weekday and hour/ })
  await expect(heat.getByRole('cell', { name: /^4 ?, 1 real denial$/ })).toBeVisible()
  await expect(details.getByRole('table', { name: 'Who holds a seat now' })).toContainText('bob')
  const denied = rowsOf(page.getByRole('grid', { name: `Denials of ${FEATURE}` }))
  await expect(denied).toHaveCount(1)
  await expect(denied).toContainText('cid')
  await expect(denied).toContainText('Denial (no seat within a minute)')
  await expect(denied).toContainText('-4 Licensed number of users already reached.')
  await expect(page.getByRole('table', { name: 'Reports' })).toContainText('line 5 (unreadable event)')

  await page.goto('/planner?customer=100001')
  const row = rowsOf(page.getByRole('grid', { name: 'Products to renew' })).filter({ hasText: PRODUCT })
  await page.getByRole('radiogroup', { name: 'Proposal' }).getByText('With reserve').click()
  // The peak of 4 seats, the request that was denied at it, and 10 percent more.
  await expect(row.getByRole('textbox')).toHaveValue('6')
  await expect(row).toContainText('1 real denial')
  await row.getByRole('button', { name: /^Details of/ }).click()
  const whatIf = page.getByRole('table', { name: `Other numbers of seats of ${PRODUCT}` })
  await expect(whatIf.getByRole('row', { name: /^6 0/ })).toBeVisible()
  await row.getByRole('textbox').fill('3')
  await page.keyboard.press('Enter')
  await expect(whatIf.getByRole('row', { name: /^3 / })).not.toHaveText(/^30/)
  const plan = page.getByRole('region', { name: 'Plan', exact: true })
  await expect(plan).toContainText('to today')
  const name = `Renewal ${Date.now()}`
  await plan.getByLabel('Name of the plan').fill(name)
  await plan.getByRole('button', { name: 'Save plan' }).click()
  const saved = page.getByRole('region', { name: 'Saved plans' })
  await expect(saved).toContainText(name)
  await expectAccessible(page)
  await saved.getByRole('button', { name: `Make draft of ${name}` }).click()
  await page.getByRole('menuitem').first().click()
  await expect(page.getByText('The draft order was saved.')).toBeVisible()
  await expect(page.getByText(name).first()).toBeVisible()
})
