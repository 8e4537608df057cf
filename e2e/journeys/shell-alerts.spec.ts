import { expect, type Page, test } from '@playwright/test'
import { signIn, signInAnew } from '#e2e/support/sign-in.ts'

type Alert = {
  id: string
  category: string
  date: string
  expires: string | null
  description: string
  service: string[]
}

/** Freezes the current alerts of the server, so that other journeys cannot change them on this page. */
async function holdAlerts(page: Page): Promise<{ alerts: Alert[]; show(alerts: Alert[]): Promise<void> }> {
  const answer = (await (await page.request.get('/api/notifications')).json()) as { data: Alert[] }
  await page.route('**/api/notifications/stream*', (route) => route.abort())
  const show = async (alerts: Alert[]) => {
    await page.unroute('**/api/notifications')
    await page.route('**/api/notifications', (route) => route.fulfill({ json: { status: 'SUCCESS', data: alerts } }))
    await page.reload()
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  }
  return { alerts: answer.data, show }
}

const close = (page: Page) => page.getByRole('button', { name: 'Close alerts' })

test('the banner shows one alert in full and several by their services, and stays closed until they change', async ({
  page,
}) => {
  await signIn(page, 'busops', '/home?customer=100001')
  const { alerts, show } = await holdAlerts(page)

  await test.step('several alerts are summed up by their services', async () => {
    const some = alerts.filter((alert) => ['CRITICAL', 'WARNING'].includes(alert.category)).slice(0, 2)
    await show(some)
    const banner = page.getByRole('alert').filter({ hasText: 'Multiple alerts' })
    await expect(banner).toContainText(some.flatMap((alert) => alert.service).join(' and '))
    await banner.getByRole('link', { name: 'Multiple alerts' }).click()
    await expect(page).toHaveURL('/notifications?customer=100001')
  })

  await test.step('a single alert is shown in full', async () => {
    const one = alerts.find((alert) => alert.category === 'WARNING')!
    await show([{ ...one, date: '2026-11-15T09:05:00', expires: '2026-11-16T20:30:00' }])
    const banner = page.getByRole('status').filter({ hasText: 'Service degradation' })
    await expect(banner).toContainText(one.description)
    await expect(banner).toContainText('from 2026-11-15 9:05 to 2026-11-16 20:30')
    await banner.getByRole('link', { name: 'Service degradation' }).click()
    await expect(page).toHaveURL(`/notification-details/${one.id}?customer=100001`)
  })

  await test.step('a closed banner stays closed until the alerts change', async () => {
    await show(alerts)
    await close(page).click()
    await expect(close(page)).toBeHidden()
    // The banner also stays closed in a new session of the same person in this browser.
    await page.evaluate(() => sessionStorage.clear())
    // An open page would redirect to sign-in by itself.
    await page.goto('about:blank')
    await page.context().clearCookies()
    await signInAnew(page, 'busops')
    await show([...alerts].reverse())
    await expect(close(page)).toBeHidden()
    await show(alerts.slice(1))
    await expect(close(page)).toBeVisible()
  })
})
