import { expect, type Page, test } from '@playwright/test'
import { Webhook } from 'standardwebhooks'
import { expectAccessible } from '#e2e/support/axe.ts'
import { receiveWebhooks } from '#e2e/support/received-webhooks.ts'
import { signIn } from '#e2e/support/sign-in.ts'
import { limit } from '#server/testing/slowness.ts'

const row = (page: Page, name: string | RegExp) => page.getByRole('row', { name })

async function choose(page: Page, url: string, item: string) {
  await page.getByRole('button', { name: `More actions: ${url}` }).click()
  await page.getByRole('menuitem', { name: item }).click()
}

test('an administrator adds a webhook, tries it, reads the log, sends again and removes it', async ({ page }) => {
  test.slow()
  const endpoint = await receiveWebhooks()
  const { url } = endpoint
  try {
    await signIn(page, 'singleAccount', '/webhooks?customer=100006')
    await expect(page.getByText('This account has no webhooks yet.')).toBeVisible()
    await page.getByRole('button', { name: 'Add webhook' }).click()
    const form = page.getByRole('dialog', { name: 'Add webhook' })
    await form.getByLabel('URL').fill('http://10.0.0.7/hooks')
    await form.getByLabel('Contact added').check()
    await form.getByRole('button', { name: 'Add webhook' }).click()
    await expect(form).toContainText('This address is not public.')
    await form.getByLabel('URL').fill(url)
    await expectAccessible(page)
    await form.getByRole('button', { name: 'Add webhook' }).click()
    const shown = page.getByRole('dialog', { name: 'Signing secret' })
    const secret = (await shown.getByRole('code').textContent()) ?? ''
    expect(secret).toMatch(/^whsec_/)
    await expect(shown.getByRole('button', { name: 'Copy secret' })).toBeVisible()
    await shown.getByRole('button', { name: 'Done' }).click()
    await expect(page.locator('body')).not.toContainText(secret)

    await page.getByRole('button', { name: `Send test event: ${url}` }).click()
    const tested = row(page, /Test event Delivered/)
    await expect(tested).toBeVisible()
    const [first] = endpoint.received
    // The portal's clock starts at 10:00 UTC.
    const verifier = new Webhook(secret)
    expect(verifier.sign(String(first?.headers['webhook-id']), timeOf(first), String(first?.body))).toBe(
      first?.headers['webhook-signature'],
    )
    await tested.click()
    const attempt = page.getByRole('region', { name: 'Attempt 1' })
    await expect(attempt).toContainText('webhook-signature: v1,')
    await expect(attempt).toContainText('"type": "webhook.test"')
    await expect(attempt).toContainText('thank you')
    await expectAccessible(page)

    endpoint.answerWith(500)
    await page.getByRole('button', { name: `Send again: Test event, ${url}` }).click()
    await expect(row(page, /Test event Waiting 500.*Answered 500/)).toBeVisible()
    endpoint.answerWith(200)
    await expect(row(page, /Failing since/)).toBeVisible()
    await expect(async () => {
      await page.reload()
      await expect(row(page, /Test event Delivered/)).toBeVisible({ timeout: limit(1000) })
    }).toPass()

    await choose(page, url, 'Send events again')
    const replay = page.getByRole('dialog', { name: 'Send events again' })
    await replay.getByLabel('Include delivered events').check()
    await replay.getByRole('button', { name: 'Send again' }).click()
    await expect(page.getByText('1 event sent again.')).toBeVisible()

    await choose(page, url, 'Make new secret')
    await page.getByRole('button', { name: 'Make new secret' }).click()
    await expect(shown).toContainText('24 more hours')
    expect(await shown.getByRole('code').textContent()).not.toBe(secret)
    await shown.getByRole('button', { name: 'Done' }).click()

    await choose(page, url, 'Remove')
    await page.getByRole('button', { name: 'Remove webhook' }).click()
    await expect(page.getByText('The webhook has been removed.')).toBeVisible()
    await expect(page.getByText('This account has no webhooks yet.')).toBeVisible()
  } finally {
    endpoint.close()
  }
})

const timeOf = (received: { headers: Record<string, unknown> } | undefined) =>
  new Date(Number(received?.headers['webhook-timestamp']) * 1000)

test('a viewer does not find the screen', async ({ page }) => {
  await signIn(page, 'viewer', '/webhooks?customer=100001')
  await expect(page).toHaveURL(/nopermissions/)
  await page.getByRole('button', { name: 'Settings', exact: true }).click()
  await expect(page.getByRole('link', { name: 'Licensing Portal Access' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Webhooks' })).toHaveCount(0)
})
