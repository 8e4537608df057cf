import { expect, type Page, test } from '@playwright/test'
import { expectAccessible, expectAccessibleInBothSchemes } from '#e2e/support/axe.ts'
import { openFormGallery } from '#e2e/support/gallery.ts'

/** Milliseconds in which a save button ignores further clicks. */
const REST = 500
const note = (page: Page) => page.getByRole('textbox', { name: 'Note' })
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const placeOrder = (page: Page) => button(page, 'Place order').first()

async function confirmOrder(page: Page): Promise<void> {
  await placeOrder(page).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Place order' }).click()
}

/** Below a field. The save button names the first error as well, for screen readers. */
const errorText = (page: Page, text: string) => page.getByRole('paragraph').filter({ hasText: text })

test('errors appear when a field is left, disappear when it is valid, and Enter shows all', async ({ page }) => {
  await openFormGallery(page)
  await note(page).fill('')
  await expect(errorText(page, 'Note is required.')).toBeHidden()
  await note(page).blur()
  await expect(errorText(page, 'Note is required.')).toBeVisible()
  await note(page).fill('A')
  await expect(errorText(page, 'Note is required.')).toBeHidden()
  await button(page, 'Add line').click()
  await expect(page.getByLabel('Product of line 2')).toBeFocused()
  await expect(errorText(page, 'Product is required.')).toBeHidden()
  await note(page).press('Enter')
  await expect(errorText(page, 'Product is required.')).toBeVisible()
  await expect(placeOrder(page)).toBeDisabled()
  await expectAccessibleInBothSchemes(page)
})

test('a picker in a row searches one second after the last keystroke, chooses and clears', async ({ page }) => {
  await page.clock.install({ time: '2026-11-15T10:00:00' })
  await openFormGallery(page)
  await button(page, 'Add line').click()
  const product = page.getByLabel('Product of line 2')
  const found = page.getByRole('option', { name: 'Solver for students' })
  await page.clock.pauseAt('2026-11-15T11:00:00')
  await product.pressSequentially('solv')
  await page.clock.runFor(900)
  await product.pressSequentially('er')
  await page.clock.runFor(900)
  await expect(found).toHaveCount(0)
  await page.clock.runFor(200)
  await expect(found).toBeVisible()
  await page.clock.resume()
  await found.click()
  await expect(product).toHaveValue('Solver for students')
  await product.fill('nothing of that name')
  await product.press('Enter')
  await expect(page.getByText('No product found.')).toBeVisible()
  await product.press('Escape')
  await expect(product).toHaveValue('Solver for students')
  await expect(placeOrder(page)).toBeEnabled()
  await page.getByRole('row').last().getByRole('button', { name: 'Clear product' }).click()
  await expect(placeOrder(page)).toBeDisabled()
})

test('a confirmation can contain tabs and a table', async ({ page }) => {
  await openFormGallery(page)
  await note(page).fill('For the new lab')
  await placeOrder(page).click()
  const dialog = page.getByRole('dialog', { name: 'Place this order?' })
  await expect(dialog.getByRole('table', { name: 'Ordered lines' })).toContainText('Solver')
  await expectAccessible(page)
  await dialog.getByRole('tab', { name: 'Lines' }).press('ArrowRight')
  await expect(dialog.getByText('For the new lab (not urgent)')).toBeVisible()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(placeOrder(page)).toBeEnabled()
  await confirmOrder(page)
  await expect(page.getByText('The order has been saved.')).toBeVisible()
})

test('a refusal appears at its field until the next change', async ({ page }) => {
  await openFormGallery(page)
  await note(page).fill('over balance')
  await confirmOrder(page)
  const refusal = page.getByRole('alert').filter({ hasText: 'Nothing was saved. The order is over the balance.' })
  await expect(refusal).toHaveCount(1)
  await expectAccessibleInBothSchemes(page)
  await page.getByLabel('Quantity of line 1').fill('1')
  await expect(refusal).toHaveCount(0)
})

test('an order can be placed again after a refusal in the very moment in which the button wakes up', async ({
  page,
}) => {
  await page.addInitScript((rest) => {
    const { setTimeout } = window
    const held: (() => void)[] = []
    let delays: unknown[] = [rest]
    window.setTimeout = ((run: () => void, delay?: number) =>
      delays.includes(delay) ? held.push(run) : setTimeout(run, delay)) as typeof window.setTimeout
    Object.assign(window, {
      async comeAtOnce() {
        const [wakeUp, answer] = held.splice(0)
        // What the answer changes reaches the screen after a delay of 0.
        delays = [undefined, 0]
        answer?.()
        while (held.length === 0) await new Promise((done) => setTimeout(done, 10))
        wakeUp?.()
        for (const run of held) run()
        window.setTimeout = setTimeout
      },
    })
  }, REST)
  await openFormGallery(page)
  await note(page).fill('late refusal')
  await confirmOrder(page)
  await expect(placeOrder(page)).toHaveAttribute('data-loading', 'true')
  await page.evaluate('comeAtOnce()')
  await expect(page.getByText('Nothing was saved. The order came too late.')).toBeVisible()
  await expect(placeOrder(page)).toBeEnabled()
})

test('after a conflict the person chooses a version for each line', async ({ page }) => {
  await openFormGallery(page)
  await note(page).fill('too late')
  await page.getByLabel('Quantity of line 1').fill('3')
  await confirmOrder(page)
  const versions = page.getByRole('table', { name: 'Both versions' })
  const choice = (label: string, side: string) =>
    versions.getByRole('row').filter({ hasText: label }).getByRole('radio', { name: side })
  // Lines that only they changed are theirs. Lines that both changed are yours.
  await expect(choice('Urgent', 'Saved by someone else')).toBeChecked()
  await expect(choice('Mesher', 'Saved by someone else')).toBeChecked()
  await expect(choice('Note', 'yours')).toBeChecked()
  await expect(note(page)).toBeDisabled()
  await expect(placeOrder(page)).toBeDisabled()
  await expectAccessibleInBothSchemes(page)
  await choice('Note', 'Saved by someone else').check()
  await choice('Mesher', 'yours').check()
  await button(page, 'Combine both').click()
  await expect(note(page)).toHaveValue('Changed by somebody else')
  await expect(page.getByRole('switch', { name: 'Urgent' })).toBeChecked()
  await expect(page.getByLabel('Quantity of line 1')).toHaveValue('3')
  // The row was left out. It is removed, and can be restored.
  await expect(button(page, 'Undo: keep Mesher')).toBeVisible()
  await confirmOrder(page)
  await expect(page.getByText('The order has been saved.')).toBeVisible()
})

test('a form in a dialog shows its failure and asks before changes are lost', async ({ page }) => {
  await openFormGallery(page)
  await button(page, 'Edit the note').click()
  const dialog = page.getByRole('dialog', { name: 'Note' })
  await dialog.getByRole('textbox').fill('no answer')
  await dialog.getByRole('textbox').press('Enter')
  await expect(dialog.getByRole('alert')).toContainText('Your changes may not have been saved.')
  await page.keyboard.press('Escape')
  const warning = page.getByRole('dialog', { name: 'WARNING: You have unsaved changes' })
  await warning.getByRole('button', { name: 'Leave without saving' }).click()
  await expect(dialog).toBeHidden()
  await expect(button(page, 'Edit the note')).toBeFocused()
})
