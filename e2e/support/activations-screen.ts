import { expect, type Locator, type Page } from '@playwright/test'

export const HEADERS = { 'X-Requested-With': 'portal' }

export const assigned = (page: Page): Locator => page.getByRole('grid', { name: 'Assigned Entitlements' })
export const available = (page: Page): Locator => page.getByRole('grid', { name: 'Available Entitlements' })
export const button = (page: Page | Locator, name: string): Locator => page.getByRole('button', { name, exact: true })
export const dialog = (page: Page, name: string): Locator => page.getByRole('dialog', { name })
/** The button at the end of a dialog; the cross in its corner has the same name. */
export const closeButton = (within: Locator): Locator => button(within, 'Close').last()
/** The button that saves what the dialog shows. */
export const saveButton = (page: Page): Locator =>
  page.getByRole('dialog').getByRole('button', { name: /^(Activate|Deactivate) [\d,]+ .*seats?$/ })
export const server = (page: Page): Locator => page.getByRole('combobox', { name: 'Server' })

let made = 0

/** A host id of twelve digits that no other journey has. */
export function newHostId(): string {
  return `${(Date.now() * 16 + (made++ % 16)).toString(16).slice(-10)}${process.pid.toString(16).slice(-2).padStart(2, '0')}`
}

/** Ticks a product in the list. */
export async function addProduct(page: Page, product: string): Promise<void> {
  await page.getByRole('combobox', { name: 'Products' }).click()
  await page.getByRole('listbox', { name: 'Products' }).getByRole('option', { name: product, exact: true }).click()
  await page.keyboard.press('Escape')
}

export async function addServer(page: Page, name: string, hostId: string): Promise<void> {
  await button(page, 'Add server').click()
  const adding = dialog(page, 'Add New Host')
  await adding.getByLabel('Host Name').fill(name)
  await adding.getByLabel('Host ID', { exact: true }).fill(hostId.match(/../g)?.join(':') ?? '')
  await button(adding, 'Save').click()
  await expect(adding).toBeHidden()
}

export async function associate(page: Page, customerNumber: string): Promise<void> {
  await page.getByLabel('Associated Customers').fill(customerNumber)
  await page.getByRole('option', { name: customerNumber }).click()
  await expect(page.getByRole('tab', { name: customerNumber })).toHaveAttribute('aria-selected', 'true')
}

/** Pastes a text into a field, as from an email. */
export async function pasteInto(field: Locator, text: string): Promise<void> {
  await field.evaluate((one, pasted) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text', pasted)
    one.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  }, text)
}

/** Drops files as a person does who drags them out of a file manager. */
export async function dropFiles(target: Locator, ...files: readonly { name: string; text: string }[]): Promise<void> {
  const dataTransfer = await target.page().evaluateHandle((given) => {
    const data = new DataTransfer()
    for (const { name, text } of given) data.items.add(new File([text], name, { type: 'text/plain' }))
    return data
  }, files)
  for (const type of ['dragenter', 'dragover', 'drop']) await target.dispatchEvent(type, { dataTransfer })
}
