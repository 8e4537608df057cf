import { expect, type Locator, type Page } from '@playwright/test'

export const ADMINISTRATOR = 'Licensing Portal Administrator'
export const VIEWER = 'Licensing Portal Viewer'

export const contacts = (page: Page): Locator => page.getByRole('table', { name: 'Contacts' })
export const card = (page: Page): Locator => page.getByRole('region', { name: 'Contacts' })
export const button = (page: Page, name: string): Locator => card(page).getByRole('button', { name, exact: true })
export const lastEmail = (page: Page): Locator => contacts(page).getByLabel('Email', { exact: true }).last()
export const lastRole = (page: Page): Locator =>
  contacts(page)
    .getByLabel(/^Role of/)
    .last()

/** Rows have their contact in a field, where text alone does not find it. */
export async function addContact(page: Page, email: string, role: string): Promise<void> {
  await button(page, 'Add contact').click()
  await expect(lastEmail(page)).toBeFocused()
  await lastEmail(page).fill(email)
  await lastRole(page).selectOption(role)
}

export async function emailsOn(page: Page): Promise<string[]> {
  return contacts(page)
    .getByLabel('Email', { exact: true })
    .evaluateAll((fields) => fields.map((field) => (field as HTMLInputElement).value))
}
