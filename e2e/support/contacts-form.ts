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

const HEADERS = { 'X-Requested-With': 'portal' }
type SavedContact = { email: string; role: string }

/** The contacts as the server keeps them. */
export async function contactsOnServer(page: Page, customerNumber: string): Promise<SavedContact[]> {
  const answer = await page.request.post('/api/getportalaccess', { data: { customerNumber }, headers: HEADERS })
  const { data } = (await answer.json()) as { data: SavedContact[] }
  return data.map(({ email, role }) => ({ email, role }))
}

/** Adds a contact while somebody has the form open. */
export async function saveOnServer(page: Page, customerNumber: string, contact: SavedContact): Promise<void> {
  const oldContacts = await contactsOnServer(page, customerNumber)
  const data = { customerNumber, oldContacts, newContacts: [...oldContacts, contact] }
  const answer = await page.request.post('/api/setportalaccess', { data, headers: HEADERS })
  expect(await answer.json()).toMatchObject({ status: 'SUCCESS' })
}
