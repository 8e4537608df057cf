import { readFile } from 'node:fs/promises'
import { expect, type Locator, type Page, test } from '@playwright/test'
import {
  addProduct,
  addServer,
  assigned,
  associate,
  available,
  button,
  closeButton,
  dialog,
  dropFiles,
  HEADERS,
  newHostId,
  saveButton,
  server,
} from '#e2e/support/activations-screen.ts'
import { expectAccessible } from '#e2e/support/axe.ts'
import { attachmentOfMail } from '#e2e/support/received-mail.ts'
import { signIn } from '#e2e/support/sign-in.ts'
import { cellsOf, rowsOf } from '#e2e/support/table.ts'

const READY = 'License file generated'

/** A license file of a triad, as another vendor writes it. The ids are new with every run. */
function triadFile() {
  const ids = ['01', '02', '03'].map((end) => `${newHostId().slice(0, 10)}${end}`)
  const servers = ids.map((id, index) => `SERVER tri-${'abc'[index]} ${id} 2325`)
  const text = [...servers, 'VENDOR ansyslmd', 'INCREMENT cfd ansyslmd 1.0 permanent 2 SIGN="00"', ''].join('\r\n')
  return { ids, file: { name: 'old.lic', text } }
}

/** Confirms what is shown, and gives the file that is downloaded. */
async function confirmAndDownload(page: Page) {
  const download = page.waitForEvent('download')
  await saveButton(page).click()
  const file = await download
  await expect(dialog(page, READY)).toContainText('What to do next')
  return { name: file.suggestedFilename(), text: await readFile(await file.path(), 'utf8') }
}

async function verdictOn(page: Page, text: string): Promise<string> {
  const file = { name: 'license.lic', mimeType: 'text/plain', buffer: Buffer.from(text) }
  const answer = await page.request.post('/api/licenses/verify', { headers: HEADERS, multipart: { file } })
  return (await answer.json()).data.verdict
}

test('a triad from a license file gets products of two customers, and its shared file is verified, downloaded, emailed and generated again', async ({
  page,
}) => {
  test.slow()
  const { ids, file } = triadFile()
  await signIn(page, 'administrator', '/activations?customer=100002')
  await expect(assigned(page)).toBeVisible()
  await button(page, 'Add server').click()
  const adding = dialog(page, 'Add New Host')
  await test.step('a license file is dropped anywhere on the dialog, or chosen, and its errors are shown', async () => {
    const title = adding.getByText('Add New Host')
    await dropFiles(title, { name: 'notes.txt', text: 'Buy milk.' })
    await expect(adding.getByRole('alert')).toBeVisible()
    await dropFiles(title, file, file)
    await expect(adding.getByRole('alert')).toContainText('Drop one license file at a time.')
    await dropFiles(title, { ...file, name: 'dropped.lic' })
    await expect(adding).toContainText('Read from dropped.lic (tri-a, tri-b, tri-c).')
    const chooser = page.waitForEvent('filechooser')
    await button(adding, 'Upload from license').click()
    await (await chooser).setFiles({ name: file.name, mimeType: 'text/plain', buffer: Buffer.from(file.text) })
    await expect(adding).toContainText('Read from old.lic (tri-a, tri-b, tri-c).')
    for (const row of [1, 2, 3]) await expect(adding.getByLabel(`Host ID ${row}`)).toHaveValue(ids[row - 1] ?? '')
  })
  await adding.getByLabel('Host Name 2').fill('not a name')
  await adding.getByLabel('Host Name 3').click()
  await expect(adding).toContainText('Please remove spaces and special characters.')
  await expect(button(adding, 'Save')).toBeDisabled()
  await adding.getByLabel('Host Name 2').fill('tri-b')
  await expectAccessible(page)
  await button(adding, 'Save').click()
  await expect(page.getByText('Choose products below.')).toBeVisible()
  await expect(button(page, 'Generate')).toBeDisabled()
  await expect(button(page, 'Generate')).toHaveAccessibleDescription('Add a product first.')

  await addProduct(page, 'Antenna Array Designer')
  await addProduct(page, 'Circuit Board Signal Integrity')
  const quantity = available(page).getByLabel('Activated', { exact: true }).first()
  await quantity.fill('0')
  await expect(page.getByText('Minimum is 1.')).toBeVisible()
  await button(page, 'Save & Generate').click()
  await expect(page.getByRole('alert').filter({ hasText: 'Minimum is 1.' })).toBeVisible()
  // The error text stays next to the field that was left.
  const minimum = available(page).getByText('Minimum is 1.')
  await expect(minimum).toBeVisible()
  const cutOff = await minimum.evaluate((text) => {
    const lines = document.createRange()
    lines.selectNodeContents(text)
    const [inner, outer] = [lines.getBoundingClientRect(), text.closest('[data-cell]')?.getBoundingClientRect()]
    return outer && Math.max(0, inner.bottom - outer.bottom, inner.right - outer.right, outer.left - inner.left)
  })
  expect(cutOff, 'pixels of the message that are not seen').toBe(0)
  await quantity.fill('1')
  await quantity.press('Enter')
  await associate(page, '100001')
  await addProduct(page, 'Acoustics Response')

  await button(page, 'Save & Email').click()
  const confirming = dialog(page, 'Confirm changes on tri-a, tri-b, tri-c')
  await expect(confirming.getByRole('tab')).toHaveText([/^100002 /, /^100001 /])
  const activated = confirming.getByRole('table', { name: 'Products to activate' })
  await expect(activated).toBeVisible()
  await expect(activated.getByRole('columnheader').first()).toHaveText('Include')
  for (const box of await activated.getByRole('checkbox').all()) await box.click()
  await confirming.getByRole('tab', { name: '100001' }).click()
  for (const box of await activated.getByRole('checkbox').all()) await box.click()
  await expect(button(confirming, 'Save changes')).toHaveAccessibleDescription('Tick at least one product.')
  for (const box of await activated.getByRole('checkbox').all()) await box.click()
  await confirming.getByRole('tab', { name: '100002' }).click()
  for (const box of await activated.getByRole('checkbox').all()) await box.click()
  await expect(saveButton(page)).toBeEnabled()
  await expect(confirming).toContainText('This is the first file.')
  await expect(confirming).toContainText(`SERVER tri-a ${ids[0]} 2325`)
  await expectAccessible(page)
  const first = await confirmAndDownload(page)
  expect(first.name).toBe(`license_100002_${ids.join('-')}_shared.lic`)
  expect(first.text).toContain(`SERVER tri-c ${ids[2]} 2325`)
  for (const customer of ['00100001', '00100002']) expect(first.text).toContain(`VENDOR_STRING=customer:${customer}`)
  expect(await verdictOn(page, first.text)).toBe('unchanged')
  expect(await verdictOn(page, first.text.replace('INCREMENT ', 'INCREMENT x'))).toBe('licenses changed')
  expect(await verdictOn(page, first.text.replace(' 2325', ' 2326'))).toBe('text changed')
  await expect(dialog(page, READY)).toContainText('It was also sent to ada.admin@aerodyne.example')
  expect(await attachmentOfMail(`to: ada.admin@aerodyne.example`, ids.join('-'))).toEqual(first)
  await closeButton(dialog(page, READY)).click()

  await page.getByRole('tab', { name: '100002' }).click()
  await assigned(page)
    .getByRole('button', { name: /^Remove / })
    .first()
    .click()
  await button(page, 'Save & Generate').click()
  await expect(page.getByRole('table', { name: 'Products to deactivate' })).toBeVisible()
  await expect(page.getByRole('dialog')).toContainText('Licenses: 1 removed')
  const second = await confirmAndDownload(page)
  expect(second.name).toBe(first.name)
  expect(second.text).not.toBe(first.text)
  expect(await verdictOn(page, second.text)).toBe('unchanged')
  await closeButton(dialog(page, READY)).click()

  await button(page, 'License files').click()
  const files = page.getByRole('button', { name: /^Download the file of/ })
  await expect(files).toHaveCount(2)
  const kept: string[] = []
  for (const nth of [0, 1]) {
    const download = page.waitForEvent('download')
    await files.nth(nth).click()
    kept.push(await readFile(await (await download).path(), 'utf8'))
  }
  expect(kept).toEqual([second.text, first.text])

  await test.step('warns who does not manage the other customer', async () => {
    await signIn(page, 'coordinator', `/activations?customer=100001&id=${ids.join()}`)
    await expect(
      page.getByText('This license server is shared with customer numbers that you do not manage: 100002.'),
    ).toBeVisible()
  })
})

test('a number of seats of a product comes from the latest end first, and rows can be overruled before the save', async ({
  page,
}) => {
  const product = 'HPC Pack'
  await signIn(page, 'administrator', '/activations?customer=100002')
  await expect(assigned(page)).toBeVisible()
  await addServer(page, 'lic-seats', newHostId())
  const seats = page.getByRole('textbox', { name: 'Seats of each product', exact: true })
  await addProduct(page, product)
  await seats.fill('5')
  const notice = page.getByRole('status').filter({ hasText: `5 seats of ${product}, latest end first: ` })
  await expect(notice).toBeInViewport()
  const idIn = async (text: Locator) => (await text.textContent())?.match(/[0-9a-f-]{36}/)?.[0] ?? ''
  const row = (id: string) => rowsOf(available(page)).filter({ hasText: id })
  const first = await idIn(notice)
  await expect(row(first).getByLabel('Activated', { exact: true })).toHaveValue('5')
  await expect(row(first)).toBeInViewport()
  await expectAccessible(page)

  await test.step('a number before the next product is for that product alone, and a wrong one chooses nothing', async () => {
    const other = 'Electromagnetics Low Frequency'
    const others = rowsOf(available(page)).filter({ hasText: other })
    await seats.press('Tab')
    await expect(seats).toHaveValue('')
    await seats.fill('abc')
    await addProduct(page, other)
    await expect(page.getByText('Enter a whole number, 1 or more.')).toBeVisible()
    await expect(others).toHaveCount(0)
    await seats.fill('1')
    await addProduct(page, other)
    await expect(page.getByRole('status').filter({ hasText: `1 seat of ${other}` })).toBeVisible()
    await expect(notice).toBeVisible()
    await expect(seats).toHaveValue('')
    await addProduct(page, other)
    await expect(others).toHaveCount(0)
  })

  const unused = rowsOf(available(page)).filter({ has: page.getByRole('button', { name: /^Add / }) })
  const second = await idIn(unused)
  await expect(unused.getByLabel('Activated', { exact: true })).toHaveValue('0')
  await unused.getByLabel('Activated', { exact: true }).fill('1')
  await page.keyboard.press('Enter')
  await expect(unused).toHaveCount(0)
  await expect(notice).toContainText('You changed this: 6 seats will be activated.')
  await button(page, 'Save & Generate').click()
  await confirmAndDownload(page)
  await expect(dialog(page, READY)).toContainText(`Activated 6 seats of ${product} on lic-seats.`)
  await closeButton(dialog(page, READY)).click()

  await test.step('products of a link that names no license server are ready on the one that was used last', async () => {
    await page.goto(`/activations?customer=100002&activate=${second}`)
    const ready = page.getByRole('status').filter({ hasText: 'Ready to activate on ' })
    await expect(ready).toBeInViewport()
    await expect(ready).toContainText('This license server was used last.')
    await expect(row(second)).toBeInViewport()
    const chosen = await server(page).inputValue()
    await button(page, 'Cancel').click()
    await expect(page).not.toHaveURL(/activate=/)
    await expect(server(page)).toHaveValue(chosen)
  })
  await test.step('where no license server was used last, the choice has the focus', async () => {
    await page.route('**/api/fulfillments/servers', async (route) => {
      const answer = await (await route.fetch()).json()
      const data = answer.data.map((one: object) => ({ ...one, generatedAt: null }))
      await route.fulfill({ json: { ...answer, data } })
    })
    await page.goto(`/activations?customer=100002&activate=${second}`)
    await expect(server(page)).toBeFocused()
    await expect(server(page)).toHaveAccessibleDescription('Choose the license server to activate the products on.')
    await page.keyboard.press('Escape')
    await expectAccessible(page)
    await page.keyboard.type('lic-pit-lane')
    await page.keyboard.press('Enter')
    await expect(page.getByText('Ready to activate on lic-pit-lane: ')).toBeInViewport()
  })
})

test('two people on one license server: the second save shows both versions, and says what it has done', async ({
  page,
  browser,
}) => {
  const id = newHostId()
  const product = 'HPC Pack'
  const address = `/activations?customer=100002&id=${id}`
  await signIn(page, 'administrator', '/activations?customer=100002')
  await expect(assigned(page)).toBeVisible()
  await addServer(page, 'lic-two', id)
  const add = async (on: Page, seats: string, name = product) => {
    await on.getByRole('textbox', { name: 'Seats of each product', exact: true }).fill(seats)
    await addProduct(on, name)
    await button(on, 'Save & Generate').click()
  }
  await add(page, '1', 'Fatigue and Durability')
  await confirmAndDownload(page)
  await closeButton(dialog(page, READY)).click()

  const other = await (await browser.newContext()).newPage()
  await signIn(other, 'busops', new URL(address, page.url()).href)
  await expect(rowsOf(assigned(other))).toHaveCount(1)
  const versions = (on: Page) => dialog(on, 'Both versions of lic-two')

  await add(page, '2')
  await confirmAndDownload(page)
  await expect(dialog(page, READY)).toContainText(`Activated 2 seats of ${product} on lic-two.`)
  await closeButton(dialog(page, READY)).click()

  await test.step('the second save shows both versions; "Keep mine" activates the seats that are missing', async () => {
    await add(other, '3')
    await saveButton(other).click()
    const row = versions(other).getByRole('row').filter({ hasText: product })
    await expect(row).toContainText('2 seats')
    await expect(row).toContainText('3 seats')
    await expectAccessible(other)
    const download = other.waitForEvent('download')
    await button(versions(other), 'Keep mine').click()
    await download
    await expect(dialog(other, READY)).toContainText(`Activated 1 seat of ${product} on lic-two.`)
    await closeButton(dialog(other, READY)).click()
  })
  await test.step('seats that somebody else has removed are not removed again', async () => {
    const removing = async (on: Page) => {
      await rowsOf(assigned(on))
        .filter({ hasText: 'Fatigue and Durability' })
        .getByRole('button', { name: /^Remove / })
        .click()
      await button(on, 'Save & Generate').click()
      await saveButton(on).click()
    }
    await removing(other)
    await expect(dialog(other, READY)).toContainText('of Fatigue and Durability on lic-two.')
    await removing(page)
    await expect(versions(page)).toContainText('It already holds the seats that you wanted. Nothing was saved.')
    await button(versions(page), 'Show the current seats').click()
    await expect(rowsOf(assigned(page))).toHaveCount(1)
    await expect(rowsOf(assigned(page))).toContainText(product)
  })
  await other.context().close()
})

test('a save goes on when the browser is closed', async ({ page, context }) => {
  const id = newHostId()
  await signIn(page, 'administrator', '/activations?customer=100002')
  await expect(assigned(page)).toBeVisible()
  await addServer(page, 'lic-closed', id)
  await addProduct(page, 'Electromagnetics Low Frequency')
  await button(page, 'Save & Generate').click()
  const accepted = page.waitForResponse('**/api/fulfillments/save')
  await saveButton(page).click()
  const { data: plan } = await (await accepted).json()
  await page.close()

  const ask = async (path: string, data: object) =>
    (await context.request.post(path, { headers: HEADERS, data: { customerNumber: '100002', ...data } })).json()
  await expect.poll(async () => (await ask('/api/fulfillments/plan', { id: plan.id })).data.state).toBe('done')
  const { data: seats } = await ask('/api/fulfillments/entitlements', { serverId: id, activeOnly: true })
  expect(seats).not.toHaveLength(0)
})

test('a rehost link opens its dialog once; Cancel undoes all clicks, removes a new server and restores a closed tab', async ({
  page,
}) => {
  await signIn(page, 'administrator', '/activations?customer=100002&id=6045bd8812f3&action=rehost')
  await test.step('a rehost link opens the rehost dialog of the selected host once', async () => {
    const rehost = dialog(page, 'Rehost lic-pit-lane on a different license server')
    await expect(rehost).toBeVisible()
    await expect(page).toHaveURL(/id=6045bd8812f3/)
    await expect(page).not.toHaveURL(/action/)
    await expect(button(rehost, 'Continue')).toHaveAccessibleDescription(
      'Enter the host name and host ID of the license server.',
    )
    await rehost.getByLabel('Host Name').fill('lic-elsewhere')
    await rehost.getByLabel('Host ID', { exact: true }).fill(newHostId())
    await button(rehost, 'Continue').click()
    const confirming = dialog(page, 'Rehost lic-pit-lane on lic-elsewhere')
    await expect(confirming).toContainText('will be deactivated on lic-pit-lane (MAC_ADDRESS=6045bd8812f3)')
    await page.keyboard.press('Escape')
    await expect(rehost.getByLabel('Host Name')).toHaveValue('lic-elsewhere')
    // By keyboard: Chromium takes a click at the place of one just before for a double click on what is gone.
    await button(rehost, 'Continue').press('Enter')
    await button(confirming, 'Cancel').click()
    await expect(confirming).toBeHidden()
    await expect(rehost).toBeHidden()
    await expect(server(page)).toHaveValue(/^lic-pit-lane /)
  })
  await expect(button(page, 'Cancel')).toBeDisabled()
  await expect(button(page, 'Cancel')).toHaveAccessibleDescription('Nothing has changed.')
  await expect(page.getByText('Create a New Host ID')).toBeVisible()
  const removes = assigned(page).getByRole('button', { name: /^Remove / })
  await expect(removes).not.toHaveCount(0)
  const count = await removes.count()
  await removes.first().click()
  await expect(assigned(page).getByRole('button', { name: /^Undo / })).toHaveCount(1)
  await associate(page, '100001')
  await page.getByRole('tab', { name: '100002' }).click()
  await addProduct(page, 'Electric Motor Design (NODE)')
  const quantity = available(page).getByLabel('Activated', { exact: true }).first()
  const full = await quantity.inputValue()
  await quantity.fill('99999')
  await quantity.press('Tab')
  await expect(available(page).getByText(`Maximum is ${full}.`)).toBeVisible()
  await button(page, 'Save & Generate').click()
  const over = 'Activated number must be less or equal to Available number.'
  await expect(page.getByRole('alert').filter({ hasText: over })).toBeVisible()
  await button(page, 'Cancel').click()
  await expect(page.getByRole('alert').filter({ hasText: over })).toHaveCount(0)
  await expect(removes).toHaveCount(count)
  await expect(available(page).getByLabel('Activated', { exact: true })).toHaveCount(0)
  await expect(page.getByRole('tab')).toHaveText([/^100002 /])
  await expect(button(page, 'Generate')).toBeEnabled()
  await addProduct(page, 'Electric Motor Design (NODE)')
  await expect(quantity).toHaveValue(full)

  // A quantity of 0 is not a pending change, but Cancel still resets it.
  for (const field of await available(page).getByLabel('Activated', { exact: true }).all()) {
    await field.fill('0')
    await field.press('Tab')
  }
  await expect(button(page, 'Generate')).toBeVisible()
  await button(page, 'Cancel').click()
  await expect(available(page).getByLabel('Activated', { exact: true })).toHaveCount(0)

  await addServer(page, 'lic-draft', newHostId())
  await expect(server(page)).toHaveValue(/^lic-draft /)
  await button(page, 'Cancel').click()
  await expect(server(page)).toHaveValue(/^lic-pit-lane /)
  await expect(page).toHaveURL(/id=6045bd8812f3/)
  await server(page).click()
  await expect(page.getByRole('option', { name: 'lic-draft' })).toHaveCount(0)

  await test.step('a server is found by typing; closing a tab warns that the customer leaves the file', async () => {
    await page.keyboard.type('00155D')
    await page.keyboard.press('Enter')
    await expect(server(page)).toHaveValue('lic-track-01 (MAC_ADDRESS=00155d3a9c41)')
    await expect(page).toHaveURL(/id=00155d3a9c41/)
    await expect(page.getByRole('tab')).toHaveText([/^100002 /, /^100001 /])
    await page.getByRole('tab', { name: '100001' }).click()
    await button(page, 'Close tab 100001').click()
    await expect(page.getByRole('tab')).toHaveText([/^100002 /])
    await expect(page.getByText('Customer 100001 will be removed from the license file')).toBeVisible()
    await button(page, 'Cancel').click()
    await expect(page.getByRole('tab')).toHaveText([/^100002 /, /^100001 /])
    await expect(page.getByText('will be removed from the license file')).toHaveCount(0)
  })
})

test('view-only people see the servers, and why they cannot change them', async ({ page }) => {
  await signIn(page, 'viewer', '/activations?customer=100001&id=3cecef4b7d10&action=rehost')
  const told = dialog(page, 'Notice')
  await expect(told).toContainText('You do not have enough permissions for such operation.')
  await button(told, 'Ok').click()
  await expect(assigned(page)).toBeVisible()
  const reason = 'You do not have enough permissions for such operation.'
  const removes = assigned(page).getByRole('button', { name: /^Remove / })
  for (const control of [
    ...['Add server', 'Cancel', 'Generate', 'Email', 'Remove All', 'Add All'].map((name) => button(page, name)),
    removes.first(),
    page.getByRole('checkbox', { name: 'Borrowable' }),
    page.getByRole('combobox', { name: 'Products' }),
  ]) {
    await expect(control).toBeDisabled()
    await expect(control).toHaveAccessibleDescription(reason)
  }
  await button(page, 'Generate').hover()
  await expect(page.getByRole('tooltip').filter({ hasText: reason })).toBeVisible()

  const permanent = cellsOf(assigned(page), 'remainingdays').filter({ hasText: 'PERMANENT' })
  const bars = await permanent.evaluateAll((cells) =>
    cells.map((cell) => {
      const bar = cell.querySelector<HTMLElement>('[data-color]')
      const fill = bar?.querySelector<HTMLElement>('[style]')
      return `${bar?.dataset.color} ${fill?.style.width}`
    }),
  )
  expect(new Set(bars)).toEqual(new Set(['green 100%', 'muted 100%']))
  const body = { customerNumber: '100001', serverName: 'x', serverId: '3cecef4b7d10', serverIdType: 'ETHERNET' }
  const refused = await page.request.post('/api/fulfillments/license', { headers: HEADERS, data: body })
  expect(refused.status()).toBe(403)
})
