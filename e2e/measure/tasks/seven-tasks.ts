import type { Locator } from '@playwright/test'
import { addDays, type CalendarDay } from '#domain/calendar/calendar-day.ts'
import type { Hand } from '#e2e/measure/tasks/hand.ts'
import { DENIED, HELD_BACK, OLD_SERVER } from '#e2e/measure/tasks/seed.ts'
import { button, dialog, saveButton } from '#e2e/support/activations-screen.ts'
import { card, contacts, lastEmail } from '#e2e/support/contacts-form.ts'
import { rowsOf } from '#e2e/support/table.ts'

/** A task starts on Home, and goes the shortest way that a person who knows the portal would take. */
export type Task = { readonly name: string; run(hand: Hand, today: CalendarDay): Promise<void> }

export const SEVEN_TASKS: readonly Task[] = [
  { name: '1. Activate 5 seats on a new triad, download the file', run: activateOnTriad },
  { name: '2. Rehost a server with one product held back', run: rehost },
  { name: '3. Renew what ends within 30 days on all servers', run: renew },
  { name: '4. Order from the spending account, activate the order', run: order },
  { name: '5. Find out why a user was denied yesterday, unblock him', run: unblock },
  { name: '6. Last month’s usage of a project as PDF and CSV', run: exportUsage },
  { name: '7. Give a colleague view access, take it away', run: shareAccess },
]

const NEW_TRIAD = [
  ['tri-a', '02a1b2c3d4e1'],
  ['tri-b', '02a1b2c3d4e2'],
  ['tri-c', '02a1b2c3d4e3'],
] as const

async function activateOnTriad(hand: Hand): Promise<void> {
  const { page } = hand
  await hand.open('Activate Entitlements', 'activate ent')
  await hand.use(button(page, 'Add server'))
  const adding = dialog(page, 'Add New Host')
  await hand.paste(adding.getByLabel(/^Host Name/).first(), NEW_TRIAD.map((line) => line.join(' ')).join('\n'))
  await hand.use(button(adding, 'Save'))
  const products = page.getByRole('combobox', { name: 'Products' })
  await hand.choose(products, 'Mission Systems Toolkit')
  await hand.type(page.getByRole('textbox', { name: 'Seats of each product', exact: true }), '5')
  await hand.use(button(page, 'Save & Generate'))
  await downloadBy(hand, button(page, 'Activate 5 seats'))
}

async function rehost(hand: Hand): Promise<void> {
  const { page } = hand
  if (hand.device === 'keyboard')
    await hand.act('rehost', 'Rehost a license server', { typed: 'old', label: OLD_SERVER })
  else {
    await hand.open('Manage Activations', 'manage')
    const row = rowsOf(page.getByRole('grid', { name: 'Active Servers', exact: true })).filter({ hasText: OLD_SERVER })
    await hand.use(button(row, `Rehost to another license server: ${OLD_SERVER}`))
  }
  const asking = page.getByRole('dialog')
  await hand.paste(asking.getByLabel('Host Name'), 'lic-new 02a1b2c3d4f0')
  await hand.use(button(asking, 'Continue'))
  const confirming = dialog(page, `Rehost ${OLD_SERVER} on lic-new`)
  await confirming.getByRole('alert').filter({ hasText: HELD_BACK }).waitFor()
  await downloadBy(hand, confirming.getByRole('button', { name: 'Leave 1 product, rehost 3 products' }))
}

async function renew(hand: Hand, today: CalendarDay): Promise<void> {
  const lastDay = addDays(today, 30)
  await hand.use(button(workLine(hand, /leases? ends? within 30 days/), 'Renew'))
  const confirming = dialog(hand.page, 'Renew ending licenses on all license servers')
  const rows = confirming.getByRole('table', { name: 'Products to replace' }).locator('tbody tr')
  await rows.first().waitFor()
  const ends = await rows.locator('td:nth-child(3)').allTextContents()
  // The line is about 30 days: what ends later is not ticked.
  for (const [index, text] of ends.entries())
    if (text.slice(-10) > lastDay) await rows.nth(index).getByRole('checkbox', { checked: false }).waitFor()
  await hand.use(confirming.getByRole('button', { name: /^Renew \d+ ending licenses?$/ }))
  await hand.page.getByRole('dialog', { name: /^License files? generated$/ }).waitFor()
}

async function order(hand: Hand): Promise<void> {
  const { page } = hand
  if (hand.device === 'keyboard') await hand.act('order', 'Order products', { typed: 'usd', label: 'USD' })
  else {
    const balance = page.getByRole('listitem').filter({ hasText: 'USD' })
    await hand.use(balance.getByRole('link', { name: /^Order from/ }).first())
  }
  await hand.choose(page.getByRole('combobox', { name: 'Product of line 1' }), 'Fluid Flow Pro')
  await hand.use(button(page, 'Order and Activate'))
  await hand.use(button(dialog(page, 'Confirm the order'), 'Order and Activate'))
  await downloadBy(hand, saveButton(page))
}

/** The line says why he was denied. */
async function unblock(hand: Hand): Promise<void> {
  const { page } = hand
  await hand.use(button(workLine(hand, DENIED), `Add username ${DENIED}`))
  await hand.use(button(dialog(page, 'Add username'), 'Add username'))
  await page.getByText(`${DENIED} can start sessions.`).waitFor()
}

/** A line of the work list on Home. */
function workLine({ page }: Hand, text: string | RegExp): Locator {
  return page.getByRole('list', { name: 'To do', exact: true }).getByRole('listitem').filter({ hasText: text })
}

const PROJECT = 'Housing Flow'

async function exportUsage(hand: Hand): Promise<void> {
  const { page } = hand
  if (hand.device === 'keyboard') {
    await hand.open('Usage Transactions', 'usage')
    await hand.use(button(page, 'Report for finance'))
  } else await hand.use(page.getByRole('link', { name: 'Report for finance' }))
  const report = dialog(page, 'Report for finance')
  await hand.choose(report.getByRole('combobox', { name: 'Project' }), PROJECT)
  const files: string[] = []
  page.on('download', (file) => files.push(file.suggestedFilename()))
  const download = button(report, 'Download PDF and CSV')
  await report.getByRole('status').filter({ hasText: 'AEU' }).waitFor()
  // The keyboard does not wait until the transactions of the project are counted.
  await download.and(page.locator(':not([data-disabled])')).waitFor()
  await hand.use(download)
  await page.getByText(/\.pdf and .*\.csv were downloaded\./).waitFor()
  if (files.length !== 2) throw new Error(`${files.length} files were downloaded`)
}

async function shareAccess(hand: Hand): Promise<void> {
  const { page } = hand
  const colleague = 'new.colleague@aerodyne.example'
  const saved = page.getByText('Portal access has been saved.')
  const remove = contacts(page).getByRole('button', { name: `Remove ${colleague}` })
  if (hand.device === 'keyboard') await hand.act('add c', 'Add a contact', { typed: colleague, label: colleague })
  else {
    await hand.open('Licensing Portal Access', 'portal access')
    await hand.use(button(card(page), 'Add contact'))
    await hand.type(lastEmail(page), colleague)
  }
  await hand.use(button(card(page), 'Save'))
  await saved.waitFor()
  await hand.use(remove)
  await hand.use(button(card(page), 'Save'))
  await remove.waitFor({ state: 'detached' })
}

/** Uses what downloads a file, and waits for the file. */
export async function downloadBy(hand: Hand, target: Locator): Promise<void> {
  const download = hand.page.waitForEvent('download')
  await hand.use(target)
  await (await download).path()
}
