import { expect, type Page } from '@playwright/test'

/** Next to the port of the portal. */
export const GALLERY_PORT = Number(process.env.E2E_PORT ?? 8190) + 1000

export async function openGallery(page: Page, name: 'hosts' | 'parts' | 'thousand'): Promise<void> {
  await page.goto(`http://127.0.0.1:${GALLERY_PORT}/${name}`)
  await expect(page.getByRole('gridcell').first()).toBeVisible()
}

export async function openFormGallery(page: Page): Promise<void> {
  await page.goto(`http://127.0.0.1:${GALLERY_PORT}/form`)
  await expect(page.getByRole('textbox', { name: 'Note' })).toBeVisible()
}
