import { expect, type Page, test } from '@playwright/test'
import { expectAccessibleInBothSchemes } from '#e2e/support/axe.ts'
import { holdBack } from '#e2e/support/hold-back.ts'
import { signIn } from '#e2e/support/sign-in.ts'

const field = (page: Page) => page.getByRole('combobox', { name: 'Search the portal' })
const options = (page: Page) => page.getByRole('listbox', { name: 'Results' }).getByRole('option')

async function open(page: Page): Promise<void> {
  await page.keyboard.press('ControlOrMeta+k')
  await expect(field(page)).toBeFocused()
}

test('the palette opens by keyboard and button, and leads to screens and other accounts', async ({ page }) => {
  const palette = await holdBack(page, '**/assets/palette-*.js')
  await signIn(page, 'administrator', '/home?customer=100001')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()

  await test.step('what is typed before the palette is there ends up in its field', async () => {
    await page.keyboard.press('ControlOrMeta+k')
    await page.keyboard.type('settingsx')
    await page.keyboard.press('Backspace')
    await expect(field(page)).toHaveCount(0)
    palette.release()
    await page.keyboard.type(' elastic')
    await expect(field(page)).toHaveValue('settings elastic')
    await page.keyboard.press('Escape')
    await expect(field(page)).toBeHidden()
    await page.keyboard.press('ControlOrMeta+k')
    await page.keyboard.type('emails')
    await expect(field(page)).toHaveValue('emails')
  })
  await test.step('the keyboard chooses a screen', async () => {
    await field(page).fill('settings elastic')
    await expect(options(page)).toHaveText([/^Elastic IP Settings/, /^Elastic Credentials/, /^Limits/, /^Help: /])
    await expect(options(page).first()).toHaveAttribute('aria-selected', 'true')
    await page.keyboard.press('ArrowDown')
    await expect(options(page).nth(1)).toHaveAttribute('aria-selected', 'true')
    await expect(field(page)).toHaveAttribute(
      'aria-activedescendant',
      (await options(page).nth(1).getAttribute('id')) ?? '',
    )
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL('/clscredentials?customer=100001')
    await expect(field(page)).toBeHidden()
  })
  await test.step('the button in the toolbar opens the palette, and an account is switched on the same screen', async () => {
    const button = page.getByRole('button', { name: 'Search the portal' })
    await expect(button).toHaveAttribute('aria-keyshortcuts', /^(Control|Meta)\+K$/)
    await button.click()
    await expect(options(page).filter({ hasText: 'Aerodyne Racing' })).toBeVisible()
    await expectAccessibleInBothSchemes(page)
    await field(page).fill('racing')
    await expect(options(page)).toHaveText([/Aerodyne Racing/])
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL('/clscredentials?customer=100002')
  })
  await test.step('the palette fits the screen of a phone', async () => {
    await page.setViewportSize({ width: 360, height: 740 })
    await page.getByRole('button', { name: 'Search the portal' }).click()
    await field(page).fill('emails')
    const box = await page.getByRole('dialog').boundingBox()
    expect(box?.x).toBeGreaterThanOrEqual(0)
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(360)
    await options(page).first().click()
    await expect(page).toHaveURL(/\/emails\?customer=100002/)
  })
})

test('the palette finds license servers, products and contacts', async ({ page }) => {
  await signIn(page, 'support', '/home?customer=100001')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await open(page)
  await field(page).fill('qwxz')
  await expect(page.getByText('Nothing matches "qwxz".')).toBeVisible()
  await field(page).fill('structural')
  const product = page.getByRole('group', { name: 'Products' }).getByRole('option').first()
  const [, count] = /(\d+) entitlement/.exec((await product.textContent()) ?? '') ?? []
  await product.click()
  await expect(page).toHaveURL(/\/ssl\?/)
  const counts = page.getByText(/^((1–\d+ of |0 of )?\d+|No) (in)?active entitlements$/)
  await expect(counts).toHaveCount(2)
  const shown = (await counts.allTextContents()).map(
    (text) => Number(/(\d+) (in)?active/.exec(text)?.[1] ?? 0) * Number(!text.startsWith('0 ')),
  )
  expect(shown.reduce((sum, one) => sum + one, 0)).toBe(Number(count))

  // Staff find what is on any account.
  for (const [text, found, address] of [
    ['6045bd88', 'Aerodyne Racing (100002)', '/license-servers/6045bd8812f3?customer=100002'],
    ['nina.nimbus', 'Nimbus Cloud Labs (100007)', '/portalaccess?customer=100007'],
  ] as const)
    await test.step(text, async () => {
      await open(page)
      await field(page).fill(text)
      await options(page).filter({ hasText: found }).first().click()
      await expect(page).toHaveURL(address)
    })
})
