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

export async function addContact(page: Page, email: string, role: string): Promise<void> {
  await button(page, 'Add contact').click()
  await expect(lastEmail(page)).toBeFocused()
  await lastEmail(page).fill(email)
  await lastRole(page).selectOption(role)
}

/** The emails of the rows that are not removed, whether they are edited or not. */
export async function emailsOn(page: Page): Promise<string[]> {
  return contacts(page)
    .locator('tbody tr')
    .evaluateAll((rows) =>
      rows
        .filter((row) => !row.querySelector('del'))
        .map((row) => row.querySelector('input')?.value ?? row.querySelector('td')?.textContent ?? ''),
    )
}
