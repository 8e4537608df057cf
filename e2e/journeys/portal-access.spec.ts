import { expect, type Locator, test } from '@playwright/test'
import { pasteInto } from '#e2e/support/activations-screen.ts'
import { expectAccessible, expectAccessibleInBothSchemes } from '#e2e/support/axe.ts'
import {
  ADMINISTRATOR,
  addContact,
  button,
  card,
  contacts,
  contactsOnServer,
  emailsOn,
  lastEmail,
  lastRole,
  saveOnServer,
  VIEWER,
} from '#e2e/support/contacts-form.ts'
import { goWithin } from '#e2e/support/go-within.ts'
import { PEOPLE } from '#e2e/support/people.ts'
import { signIn } from '#e2e/support/sign-in.ts'

const COORDINATOR = 'Ansys Support Coordinator (Administrator)'
const SAVED = 'Portal access has been saved.'

/** In the viewport and not covered by the toolbar. */
async function expectInSight(message: Locator): Promise<void> {
  await expect(message).toBeInViewport()
  await expect.poll(async () => (await message.boundingBox())?.y).toBeGreaterThan(56)
}

test('an administrator sees every error at its field, and nothing invalid is saved', async ({ page }) => {
  test.slow()
  const requested: string[] = []
  page.on('request', (request) => requested.push(request.url()))
  const freeDomains = () => requested.filter((url) => url.includes('domains-')).length
  await signIn(page, 'singleAccount', '/portalaccess?customer=100006')
  await expect(card(page)).toContainText('Contacts need an active account')
  await expect(button(page, 'Add contact')).toBeEnabled()
  for (const name of ['Cancel', 'Save']) await expect(button(page, name), 'nothing has changed').toBeHidden()

  await test.step('every error appears at its field', async () => {
    expect(freeDomains(), 'the list of free email domains is loaded when somebody fills in the form').toBe(0)
    await button(page, 'Add contact').click()
    await expect.poll(freeDomains).toBe(1)
    await expect(button(page, 'Add contact')).toBeDisabled()
    await page.keyboard.press('Tab')
    await expect(contacts(page)).toContainText('Email is required.')
    await expect(lastRole(page)).toHaveValue(VIEWER)
    await lastEmail(page).fill('somebody')
    await expect(contacts(page)).toContainText('Incorrect Email Format.')
    await lastEmail(page).fill('somebody@gmail.com')
    await expect(contacts(page)).toContainText('Free domain is not allowed. Use a corporate e-mail address.')
    await lastEmail(page).fill('sol.single@bluewater.example')
    await expect(contacts(page)).toContainText('Email is already in the list.')
    for (const name of ['Save', 'Add contact']) {
      await expect(button(page, name)).toBeDisabled()
      await expect(button(page, name)).toHaveAccessibleDescription('Email is already in the list.')
    }
    await contacts(page)
      .getByRole('button', { name: /^Remove/ })
      .first()
      .hover()
    await expect(page.getByRole('tooltip', { name: 'Remove' })).toBeVisible()
    await expectAccessibleInBothSchemes(page)
    await lastEmail(page).fill('somebody@bluewater.example')
    await expect(contacts(page)).not.toContainText('required')
    await expect(button(page, 'Save')).toBeEnabled()
    await button(page, 'Cancel').click()
    expect(await emailsOn(page)).not.toContain('somebody@bluewater.example')
    await expect(button(page, 'Cancel')).toBeHidden()
  })

  await test.step('a button tells who gives which role', async () => {
    await button(page, 'Who decides?').click()
    await expect(page.getByText('ask an Administrator or a Support Coordinator')).toBeVisible()
    await expect(page.getByText('ask your account manager')).toBeVisible()
    await page.keyboard.press('Escape')
  })

  await test.step('a pasted text adds every address, and the changes are counted', async () => {
    const before = await emailsOn(page)
    await addContact(page, 'first@bluewater.example', VIEWER)
    await pasteInto(lastEmail(page), 'Ann Lee <ann@bluewater.example>, bob@bluewater.example;\nBOB@bluewater.example')
    expect(await emailsOn(page)).toEqual([...before, 'ann@bluewater.example', 'bob@bluewater.example'])
    await expect(lastRole(page)).toHaveValue(VIEWER)
    await expect(card(page)).toContainText('2 added')
    await contacts(page).getByRole('button', { name: 'Remove bob@bluewater.example' }).click()
    await expect(card(page)).toContainText('1 added')
    await button(page, 'Cancel').click()
    expect(await emailsOn(page)).toEqual(before)
  })

  await test.step('the last administrator stays, and so does the form', async () => {
    const role = contacts(page).getByLabel('Role of sol.single@bluewater.example')
    await button(page, 'Edit sol.single@bluewater.example').click()
    await role.selectOption(VIEWER)
    await button(page, 'Save').click()
    await page.getByRole('dialog', { name: 'Confirm' }).getByRole('button', { name: 'Change my access' }).click()
    await expect(page.getByRole('alert')).toContainText([
      'The last Administrator or Support Coordinator of an account cannot be removed.',
    ])
    await expect(role).toHaveValue(VIEWER)
  })
})

test('a contact is added once however often Save is clicked, and stays struck through until the save removes it', async ({
  page,
}) => {
  test.slow()
  await signIn(page, 'administrator', '/portalaccess?customer=100002')
  await expect(contacts(page)).toBeVisible()
  const before = await contactsOnServer(page, '100002')
  const sent: string[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/api/setportalaccess')) sent.push(request.postData() ?? '')
  })
  const email = `new.${Date.now()}@racing.example`
  await addContact(page, email, VIEWER)
  const save = button(page, 'Save')
  await save.scrollIntoViewIfNeeded()
  const { x, y, width, height } = (await save.boundingBox())!
  const center = [x + width / 2, y + height / 2] as const
  await page.mouse.click(...center, { clickCount: 3 })
  await expect(page.getByText(SAVED)).toBeVisible()
  // Slow clicks count as repeated too, once the form shows the answer.
  await page.mouse.click(...center)
  await page.mouse.click(...center)
  const remove = contacts(page).getByRole('button', { name: `Remove ${email}` })
  await expect(remove).toBeVisible()
  await expect(save).toBeDisabled()
  const added = await contactsOnServer(page, '100002')
  expect(added).toEqual(expect.arrayContaining([...before, { email, role: VIEWER }]))
  expect(added).toHaveLength(before.length + 1)
  expect(sent).toHaveLength(1)

  const undo = contacts(page).getByRole('button', { name: `Undo: keep ${email}` })
  const box = await button(page, 'Add contact').boundingBox()
  // A double click counts as one click.
  await remove.dblclick()
  await expect(undo).toBeFocused()
  await expect(contacts(page).getByRole('deletion').filter({ hasText: email })).toBeVisible()
  expect(await button(page, 'Add contact').boundingBox()).toEqual(box)
  await expectAccessibleInBothSchemes(page)
  await page.keyboard.press('Enter')
  await expect(remove).toBeFocused()
  await expect(save).toBeHidden()
  await remove.click()
  await button(page, 'Cancel').click()
  await expect(remove).toBeVisible()

  await remove.click()
  await save.click()
  await expect(undo).toHaveCount(0)
  await expect(remove).toHaveCount(0)
  await expect(save).toBeDisabled()
  expect(await contactsOnServer(page, '100002')).toEqual(before)

  // The message about a save takes it back.
  const panel = page.getByRole('status').filter({ hasText: SAVED })
  await panel.getByRole('button', { name: 'Undo' }).click()
  await expect(remove).toBeVisible()
  expect(await contactsOnServer(page, '100002')).toEqual(added)
  await panel.getByRole('button', { name: 'Undo' }).click()
  await expect(remove).toHaveCount(0)
  expect(await contactsOnServer(page, '100002')).toEqual(before)
})

test('an administrator searches the contacts, sees who has signed in, and cannot change coordinators', async ({
  page,
}) => {
  await signIn(page, 'administrator', '/portalaccess?customer=100001')
  const row = (email: string) => contacts(page).getByRole('row').filter({ hasText: email })
  await expect(card(page)).toContainText('4 contacts')
  await expect(row('paul.pending@aerodyne.example')).toContainText('Pending')
  await expect(row('ada.admin@aerodyne.example')).toContainText(/\d{4}-\d\d-\d\d \d+:\d\d/)
  const locked = row('cora.coordinator@aerodyne.example')
  await expect(locked).toContainText(COORDINATOR)
  for (const name of [/^Edit/, /^Remove/]) await expect(locked.getByRole('button', { name })).toBeDisabled()
  await expect(locked.getByRole('textbox')).toHaveCount(0)

  const search = card(page).getByRole('searchbox', { name: 'Search contacts' })
  await search.fill('nobody')
  await expect(card(page)).toContainText('No contacts match the search.')
  await search.fill('VIC')
  await expect(card(page)).toContainText('1 of 4 contacts')
  expect(await emailsOn(page)).toEqual(['vic.viewer@aerodyne.example'])
  await button(page, 'Edit vic.viewer@aerodyne.example').click()
  await expect(lastRole(page).getByRole('option', { name: COORDINATOR })).toHaveCount(0)
})

test('two people who save at the same time lose nothing, and see what happened also on a phone', async ({ page }) => {
  test.slow()
  await page.setViewportSize({ width: 360, height: 640 })
  const [first, second, third] = ['first', 'second', 'third'].map((name) => `${name}.${Date.now()}@nimbus.example`) as [
    string,
    string,
    string,
  ]
  await signIn(page, 'elasticOnly', '/portalaccess?customer=100007')
  await addContact(page, first, VIEWER)
  await button(page, 'Save').click()
  const saved = page.getByRole('status').filter({ hasText: SAVED })
  await expectInSight(saved)

  await saveOnServer(page, '100007', { email: second, role: VIEWER })
  await addContact(page, third, ADMINISTRATOR)
  await button(page, 'Save').click()
  const versions = card(page).getByRole('table', { name: 'Both versions' })
  await expect(versions.getByRole('row').filter({ hasText: second })).toContainText([`${VIEWER}Not a contact`])
  await expect(versions.getByRole('row').filter({ hasText: third })).toContainText([`Not a contact${ADMINISTRATOR}`])
  await expectInSight(card(page).getByRole('alert'))
  await expect(saved).toBeHidden()
  await expect(lastEmail(page)).toHaveValue(third)
  await expectAccessible(page)
  await card(page).getByRole('button', { name: 'Combine both' }).click()
  await button(page, 'Save').click()
  await expectInSight(saved)
  const emails = (await contactsOnServer(page, '100007')).map(({ email }) => email)
  expect(emails).toEqual(expect.arrayContaining([first, second, third, PEOPLE.elasticOnly]))

  await page.route('**/api/setportalaccess', (route) =>
    route.fulfill({ json: { status: 'FAILURE', err: 'The directory is closed.' } }),
  )
  await addContact(page, 'fourth@nimbus.example', VIEWER)
  await button(page, 'Save').click()
  await expectInSight(page.getByRole('alert').filter({ hasText: 'The directory is closed.' }))
})

test('unsaved changes are asked about, and offered again after the session has ended', async ({ page, context }) => {
  await signIn(page, 'busops', '/portalaccess?customer=200011')
  await addContact(page, 'unsaved@somewhere.example', VIEWER)
  const warning = page.getByRole('dialog', { name: 'WARNING: You have unsaved changes' })
  await page.getByRole('link', { name: 'Emails' }).click()
  await warning.getByRole('button', { name: 'Cancel' }).click()
  await expect(lastEmail(page)).toHaveValue('unsaved@somewhere.example')
  await test.step('a second tab does not offer the changes that are open in the first one', async () => {
    const second = await context.newPage()
    await second.goto('/portalaccess?customer=200011')
    await expect(button(second, 'Add contact')).toBeEnabled()
    await expect(button(second, 'Restore changes')).toHaveCount(0)
    await second.close()
  })

  await context.clearCookies()
  await button(page, 'Save').click()
  await page.getByRole('button', { name: PEOPLE.busops }).click()
  await expect(page).toHaveURL('/portalaccess?customer=200011')
  await expect(card(page)).toContainText('You have unsaved changes from')
  await expectAccessible(page)
  await button(page, 'Restore changes').click()
  await expect(lastEmail(page)).toHaveValue('unsaved@somewhere.example')
  await expect(card(page)).toContainText('1 added')
  await button(page, 'Cancel').click()
  await page.reload()
  await expect(button(page, 'Add contact')).toBeEnabled()
  await expect(button(page, 'Restore changes')).toBeHidden()

  await addContact(page, 'unsaved@somewhere.example', VIEWER)
  await page.getByRole('link', { name: 'Alerts', exact: true }).click()
  await warning.getByRole('button', { name: 'Leave without saving' }).click()
  await expect(page).toHaveURL('/notifications?customer=200011')
})

test('a list that fails to load is an error, and rights that were taken away lead to /nopermissions', async ({
  page,
}) => {
  const refused = { status: 403, json: { status: 'FAILURE', code: 'NOT_ALLOWED', err: 'Access is disabled.' } }
  const open = () => goWithin(page, '/portalaccess?customer=100001')
  const expectNoPermissions = async (call: string) => {
    await expect(page).toHaveURL('/nopermissions?customer=100001')
    await expect(page.getByText('You do not have enough permissions to view this page.')).toBeVisible()
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await page.unroute(call)
  }
  await page.route('**/api/getportalaccess', (route) =>
    route.fulfill({ json: { status: 'FAILURE', err: 'The directory is closed.' } }),
  )
  await signIn(page, 'busops', '/portalaccess?customer=100001')
  await expect(card(page).getByRole('alert')).toContainText('The directory is closed.')
  await expect(contacts(page)).toBeHidden()
  await page.unroute('**/api/getportalaccess')
  await card(page).getByRole('button', { name: 'Retry' }).click()
  await expect(contacts(page)).toBeVisible()

  await test.step('a refused save leads to /nopermissions without a question about unsaved changes', async () => {
    await page.route('**/api/setportalaccess', (route) => route.fulfill(refused))
    await addContact(page, 'late@aerodyne.example', VIEWER)
    await button(page, 'Save').click()
    await expectNoPermissions('**/api/setportalaccess')
    await page.getByRole('link', { name: 'Alerts', exact: true }).click()
    await expect(page).toHaveURL('/notifications?customer=100001')
  })

  await test.step('a refused save of the access settings leads to /nopermissions', async () => {
    await page.route('**/api/setaccountswitches', (route) => route.fulfill(refused))
    await open()
    const switches = page.getByRole('region', { name: 'Business Operations' })
    await switches.getByRole('switch', { name: 'Access disabled' }).click()
    await switches.getByRole('button', { name: 'Save' }).click()
    await expectNoPermissions('**/api/setaccountswitches')
  })

  for (const call of ['**/api/getportalaccess', '**/api/getaccountswitches'])
    await test.step(`a refused call of ${call} leads to /nopermissions`, async () => {
      await page.route(call, (route) => route.fulfill(refused))
      await open()
      await expectNoPermissions(call)
    })
})

test('business operations sets sales access, license generators and disabled access', async ({ page }) => {
  test.slow()
  await signIn(page, 'busops', '/portalaccess?customer=200003')
  const switches = page.getByRole('region', { name: 'Business Operations' })
  const save = switches.getByRole('button', { name: 'Save' })
  await expect(switches.getByRole('switch', { name: 'Access disabled' })).toBeEnabled()
  await expect(save).toBeHidden()
  await switches.getByRole('switch', { name: 'Access disabled' }).click()
  await switches.getByRole('combobox', { name: 'Sales access' }).fill('somebody@gmail.com')
  await page.keyboard.press('Enter')
  await switches.getByRole('combobox', { name: 'Sales access' }).fill('nobody')
  await page.keyboard.press('Enter')
  await expect(switches).toContainText(
    'somebody@gmail.com: Free domain is not allowed. Use a corporate e-mail address.',
  )
  await expect(switches).toContainText('nobody: Incorrect Email Format.')
  await expect(save).toBeDisabled()
  await page.keyboard.press('Backspace')
  await page.keyboard.press('Backspace')
  await switches.getByRole('combobox', { name: 'Sales access' }).fill('seller@partner.example')
  await page.keyboard.press('Enter')
  await switches.getByRole('combobox', { name: 'FNP license generators' }).fill('maker@partner.example')
  await page.keyboard.press('Enter')
  await expectAccessible(page)
  await save.click()
  await expect(page.getByText('The access settings have been saved.')).toBeVisible()
  await page.reload()
  await expect(switches.getByRole('switch', { name: 'Access disabled' })).toBeChecked()
  await expect(switches).toContainText('seller@partner.example')
  await expect(switches).toContainText('maker@partner.example')
})
