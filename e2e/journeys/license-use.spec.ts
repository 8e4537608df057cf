import { expect, test } from '@playwright/test'
import { button, dialog } from '#e2e/support/activations-screen.ts'
import { portalTime } from '#e2e/support/portal-time.ts'
import { signIn } from '#e2e/support/sign-in.ts'
import { rowsOf } from '#e2e/support/table.ts'

/** Yesterday: two people take all seats at 9, a third one is turned away, and one comes back. */
function logOf(day: string): string {
  const [year, month, date] = day.split('-').map(Number)
  const denied = '(Licensed number of users already reached. (-4,342))'
  return [
    `8:00:00 (lmgrd) TIMESTAMP ${month}/${date}/${year}`,
    '9:00:00 (ansyslmd) OUT: "journey_solver" ann@pc-1  (3 licenses)',
    '9:10:00 (ansyslmd) OUT: "journey_solver" bob@pc-2  ',
    `9:20:00 (ansyslmd) DENIED: "journey_solver" cid@pc-3  ${denied}`,
    '9:30:00 (ansyslmd) OUT: ',
    '10:30:00 (ansyslmd) IN: "journey_solver" ann@pc-1  (3 licenses)',
    `14:00:00 (lmgrd) TIMESTAMP ${month}/${date}/${year}`,
    '',
  ].join('\n')
}

test('an uploaded log shows peaks, a heat map, who holds a seat and who was turned away', async ({ page }) => {
  // Not the administrator, in whose header other journeys would find the task of the upload.
  await signIn(page, 'coordinator', '/license-use?customer=100001')
  const yesterday = new Date((await portalTime(page)).getTime() - 86_400_000).toISOString().slice(0, 10)
  await button(page, 'Upload log').click()
  const upload = dialog(page, 'Upload log')
  await upload.getByLabel('License server').selectOption({ label: 'lic-berlin-01' })
  await upload.locator('input[type=file]').setInputFiles({
    name: 'debug.log',
    mimeType: 'text/plain',
    buffer: Buffer.from(logOf(yesterday)),
  })
  await button(upload, 'Upload').click()
  await expect(upload).toBeHidden()
  await button(page, 'Details of journey_solver on lic-berlin-01').click()
  const details = page.getByRole('region', { name: 'Details of journey_solver on lic-berlin-01' })
  const heat = details.getByRole('table', { name: /^Most seats in use by weekday and hour/ })
  await expect(heat.getByRole('cell', { name: /^4 ?, 1 real denial$/ })).toBeVisible()
  await expect(details.getByRole('table', { name: 'Who holds a seat now' })).toContainText('bob')
  const denied = rowsOf(page.getByRole('grid', { name: 'Denials of journey_solver' }))
  await expect(denied).toHaveCount(1)
  await expect(denied).toContainText('cid')
  await expect(denied).toContainText('Real denial')
  await expect(denied).toContainText('-4 Licensed number of users already reached.')
  await expect(page.getByRole('table', { name: 'Reports' })).toContainText('line 5 (unreadable event)')
})
