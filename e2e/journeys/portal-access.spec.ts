import { expect, type Locator, test } from '@playwright/test'
import { expectAccessible, expectAccessibleInBothSchemes } from '#e2e/support/axe.ts'
import {
  ADMINISTRATOR,
  addContact,
  button,
  card,
  contacts,
  emailsOn,
  lastEmail,
  lastRole,
  VIEWER,
} from '#e2e/support/contacts-form.ts'
import { PEOPLE } from '#e2e/support/people.ts'
import { signIn } from '#e2e/support/sign-in.ts'

const COORDINATOR = 'Ansys Support Coordinator (Administrator)'

/** In the viewport and not covered by the toolbar. */
async function expectInSight(message: Locator): Promise<void> {
  await expect(message).toBeInViewport()
  await expect.poll(async () => (await message.boundingBox())?.y).toBeGreaterThan(56)
}

test('shows every error at its field and saves nothing invalid', async ({ page }) => {
  test.slow()
  await signIn(page, 'singleAccount', '/portalaccess?customer=100006')
  await expect(card(page)).toContainText('Contacts need an active account')
  await expect(card(page)).toContainText('ask an Administrator or a Support Coordinator')
  await expect(card(page)).toContainText('account manager')
  await expect(button(page, 'Cancel')).toBeDisabled()
  await expect(button(page, 'Save')).toBeDisabled()
  await expect(button(page, 'Save')).toHaveAccessibleDescription('Nothing has changed.')

  await button(page, 'Add contact').click()
  await expect(button(page, 'Add contact')).toBeDisabled()
  await page.keyboard.press('Tab')
  await expect(contacts(page)).toContainText('Email is required.')
  await page.keyboard.press('Tab')
  await expect(contacts(page)).toContainText('Role is required.')
  await lastEmail(page).fill('somebody')
  await expect(contacts(page)).toContainText('Incorrect Email Format.')
  await lastEmail(page).fill('somebody@gmail.com')
  await expect(contacts(page)).toContainText('Free domain is not allowed. Use a corporate e-mail address.')
  await lastEmail(page).fill('sol.single@bluewater.example')
  await expect(contacts(page)).toContainText('Email is already in the list.')
  await lastEmail(page).fill('somebody@bluewater.example')
  for (const name of ['Save', 'Add contact']) {
    await expect(button(page, name)).toBeDisabled()
    await expect(button(page, name)).toHaveAccessibleDescription('Role is required.')
  }
  await expectAccessibleInBothSchemes(page)
  await lastRole(page).selectOption(VIEWER)
  await expect(contacts(page)).not.toContainText('required')
  await expect(button(page, 'Save')).toBeEnabled()
  await button(page, 'Cancel').click()
  expect(await emailsOn(page)).not.toContain('somebody@bluewater.example')
  await expect(button(page, 'Cancel')).toBeDisabled()
})

test('loads the list of free email domains only when somebody begins to fill in the form', async ({ page }) => {
  const scripts: string[] = []
  page.on('request', (request) => scripts.push(request.url()))
  const lists = () => scripts.filter((url) => url.includes('domains-')).length
  await signIn(page, 'singleAccount', '/portalaccess?customer=100006')
  await expect(button(page, 'Add contact')).toBeEnabled()
  await expect(card(page)).toContainText('sol.single@bluewater.example')
  expect(lists()).toBe(0)
  await button(page, 'Add contact').click()
  await expect.poll(lists).toBe(1)
})

test('saves a new contact, emails them, and removes them again', async ({ page }) => {
  const email = `new.${Date.now()}@racing.example`
  await signIn(page, 'administrator', '/portalaccess?customer=100002')
  await addContact(page, email, VIEWER)
  await button(page, 'Save').click()
  await expect(page.getByText('Portal access has been saved.')).toBeVisible()
  await expect(button(page, 'Save')).toBeDisabled()
  await page.goto('/emails?customer=100002')
  await expect(page.getByRole('grid').getByText(email)).toBeVisible()

  await page.goto('/portalaccess?customer=100002')
  await contacts(page)
    .getByRole('button', { name: `Remove ${email}` })
    .click()
  await button(page, 'Save').click()
  await expect(page.getByText('Portal access has been saved.')).toBeVisible()
  await page.reload()
  await expect(contacts(page)).toBeVisible()
  expect(await emailsOn(page)).not.toContain(email)
})

test('only business operations can change coordinators', async ({ page }) => {
  await signIn(page, 'administrator', '/portalaccess?customer=100001')
  const locked = contacts(page).getByRole('row').filter({ hasText: 'cora.coordinator@aerodyne.example' })
  await expect(locked).toContainText(COORDINATOR)
  for (const name of [/^Edit/, /^Remove/]) await expect(locked.getByRole('button', { name })).toBeDisabled()
  await expect(locked.getByRole('textbox')).toHaveCount(0)
  await button(page, 'Edit vic.viewer@aerodyne.example').click()
  await expect(lastRole(page).getByRole('option', { name: COORDINATOR })).toHaveCount(0)

  await signIn(page, 'busops', '/portalaccess?customer=100001')
  await button(page, 'Edit cora.coordinator@aerodyne.example').click()
  await expect(contacts(page).getByLabel('Role of cora.coordinator@aerodyne.example')).toHaveValue(COORDINATOR)
  await expect(lastRole(page).getByRole('option', { name: COORDINATOR })).toHaveCount(1)
})

test('two administrators who save at the same time lose nothing', async ({ browser, page }) => {
  test.slow()
  const [first, second] = [`first.${Date.now()}@nimbus.example`, `second.${Date.now()}@nimbus.example`]
  await signIn(page, 'elasticOnly', '/portalaccess?customer=100007')
  const other = await (await browser.newContext()).newPage()
  await signIn(other, 'busops', '/portalaccess?customer=100007')
  await addContact(page, first, VIEWER)
  await addContact(other, second, ADMINISTRATOR)
  await button(page, 'Save').click()
  await expect(page.getByText('Portal access has been saved.')).toBeVisible()

  await button(other, 'Save').click()
  const versions = other.getByRole('table', { name: 'Both versions' })
  await expect(versions.getByRole('row').filter({ hasText: first })).toContainText([`${VIEWER}Not a contact`])
  await expect(versions.getByRole('row').filter({ hasText: second })).toContainText([`Not a contact${ADMINISTRATOR}`])
  await expect(lastEmail(other)).toHaveValue(second)
  await expectAccessible(other)
  await card(other).getByRole('button', { name: 'Combine both' }).click()
  await button(other, 'Save').click()
  await expect(other.getByText('Portal access has been saved.')).toBeVisible()

  await page.reload()
  await expect(contacts(page)).toBeVisible()
  expect(await emailsOn(page)).toEqual(expect.arrayContaining([first, second, 'nina.nimbus@nimbus.example']))
})

test('shows the result of a save in the viewport, and hides it after a conflict', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 640 })
  await page.route('**/api/setportalaccess', (route) => {
    const { newContacts } = route.request().postDataJSON() as { newContacts: object[] }
    return route.fulfill({ json: { status: 'SUCCESS', data: newContacts } })
  })
  await signIn(page, 'busops', '/portalaccess?customer=100001')
  await addContact(page, 'first@aerodyne.example', VIEWER)
  await button(page, 'Save').click()
  const saved = page.getByRole('status').filter({ hasText: 'Portal access has been saved.' })
  await expectInSight(saved)

  await page.route('**/api/setportalaccess', (route) => {
    const { newContacts: yours, oldContacts: current } = route.request().postDataJSON() as Record<string, object[]>
    return route.fulfill({
      status: 409,
      json: {
        status: 'FAILURE',
        code: 'STALE',
        err: 'The contacts were changed meanwhile.',
        data: { current: current?.slice(1), yours },
      },
    })
  })
  await addContact(page, 'second@aerodyne.example', VIEWER)
  await button(page, 'Save').click()
  await expectInSight(card(page).getByRole('alert'))
  await expect(saved).toBeHidden()

  await card(page).getByRole('button', { name: 'Keep mine' }).click()
  await page.route('**/api/setportalaccess', (route) =>
    route.fulfill({ json: { status: 'FAILURE', err: 'The directory is closed.' } }),
  )
  await button(page, 'Save').click()
  await expectInSight(page.getByRole('alert').filter({ hasText: 'The directory is closed.' }))
})

test('searches, counts and shows who has signed in', async ({ page }) => {
  await signIn(page, 'administrator', '/portalaccess?customer=100001')
  const row = (email: string) => contacts(page).getByRole('row').filter({ hasText: email })
  await expect(card(page)).toContainText('4 contacts')
  await expect(row('paul.pending@aerodyne.example')).toContainText('Pending')
  await expect(row('ada.admin@aerodyne.example')).toContainText(/\d{4}-\d\d-\d\d \d+:\d\d/)
  await card(page).getByRole('searchbox', { name: 'Search contacts' }).fill('VIC')
  await expect(card(page)).toContainText('1 of 4 contacts')
  expect(await emailsOn(page)).toEqual(['vic.viewer@aerodyne.example'])
  await card(page).getByRole('searchbox', { name: 'Search contacts' }).fill('nobody')
  await expect(card(page)).toContainText('No contacts match the search.')
})

test('adds every address of a pasted text, and counts the changes', async ({ page }) => {
  await signIn(page, 'busops', '/portalaccess?customer=200010')
  await expect(contacts(page).or(card(page).getByText('This account has no contacts.')).first()).toBeVisible()
  const before = await emailsOn(page)
  await addContact(page, 'first@somewhere.example', VIEWER)
  await lastEmail(page).evaluate((field) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text', 'Ann Lee <ann@somewhere.example>, bob@somewhere.example;\nBOB@somewhere.example')
    field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  })
  expect(await emailsOn(page)).toEqual([...before, 'ann@somewhere.example', 'bob@somewhere.example'])
  await expect(lastRole(page)).toHaveValue(VIEWER)
  await expect(card(page)).toContainText('2 added')
  await contacts(page).getByRole('button', { name: 'Remove bob@somewhere.example' }).click()
  await expect(card(page)).toContainText('1 added')
  await button(page, 'Cancel').click()
  expect(await emailsOn(page)).toEqual(before)
})

test('offers unsaved changes again after the session has ended', async ({ page, context }) => {
  await signIn(page, 'busops', '/portalaccess?customer=200011')
  await addContact(page, 'unsaved@somewhere.example', VIEWER)
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
})

test('tooltips are accessible', async ({ page }) => {
  test.slow()
  await signIn(page, 'singleAccount', '/portalaccess?customer=100006')
  await contacts(page)
    .getByRole('button', { name: /^Remove/ })
    .first()
    .hover()
  await expect(page.getByRole('tooltip', { name: 'Remove' })).toBeVisible()
  await expectAccessibleInBothSchemes(page)
})

test('asks before unsaved changes are lost', async ({ page }) => {
  await signIn(page, 'busops', '/portalaccess?customer=200001')
  await addContact(page, 'unsaved@somewhere.example', VIEWER)
  const warning = page.getByRole('dialog', { name: 'WARNING: You have unsaved changes' })
  await page.getByRole('link', { name: 'Emails' }).click()
  await warning.getByRole('button', { name: 'Cancel' }).click()
  await expect(lastEmail(page)).toHaveValue('unsaved@somewhere.example')
  await page.getByRole('link', { name: 'Alerts', exact: true }).click()
  await warning.getByRole('button', { name: 'Leave without saving' }).click()
  await expect(page).toHaveURL('/notifications?customer=200001')
})

test('refuses to remove the last administrator and keeps the form', async ({ page }) => {
  await signIn(page, 'singleAccount', '/portalaccess?customer=100006')
  await button(page, 'Edit sol.single@bluewater.example').click()
  await contacts(page).getByLabel('Role of sol.single@bluewater.example').selectOption(VIEWER)
  await button(page, 'Save').click()
  await page.getByRole('dialog', { name: 'Confirm' }).getByRole('button', { name: 'Change my access' }).click()
  await expect(page.getByRole('alert')).toContainText([
    'The last Administrator or Support Coordinator of an account cannot be removed.',
  ])
  await expect(contacts(page).getByLabel('Role of sol.single@bluewater.example')).toHaveValue(VIEWER)
})

test('viewers see the contacts and can change nothing', async ({ page }) => {
  test.slow()
  await signIn(page, 'viewer', '/portalaccess?customer=100001')
  await expect(contacts(page)).toContainText('vic.viewer@aerodyne.example')
  await expect(contacts(page).getByRole('textbox')).toHaveCount(0)
  await expect(contacts(page).getByRole('button', { disabled: false })).toHaveCount(0)
  await expect(button(page, 'Add contact')).toBeDisabled()
  await expect(card(page)).toContainText('You can see the contacts, but not change them')
  await expect(button(page, 'Save')).toBeDisabled()
  await expect(page.getByRole('heading', { name: 'Business Operations' })).toBeHidden()
  await expectAccessible(page)
})

test('license generators see why they cannot change the contacts', async ({ page }) => {
  await signIn(page, 'licenseGenerator', '/portalaccess?customer=100003')
  await expect(contacts(page)).toContainText('petra.principal@partner.example')
  const why = 'You can see the contacts, but not change them'
  await expect(card(page)).toContainText(why)
  await expect(contacts(page).getByRole('textbox')).toHaveCount(0)
  await expect(contacts(page).getByRole('button', { disabled: false })).toHaveCount(0)
  for (const name of ['Add contact', 'Save', 'Remove petra.principal@partner.example']) {
    await expect(button(page, name)).toBeDisabled()
    await expect(button(page, name)).toHaveAccessibleDescription(new RegExp(why))
  }
})

test('shows an error and no contacts when the list fails to load', async ({ page }) => {
  await page.route('**/api/getportalaccess', (route) =>
    route.fulfill({ json: { status: 'FAILURE', err: 'The directory is closed.' } }),
  )
  await signIn(page, 'administrator', '/portalaccess?customer=100001')
  await expect(card(page).getByRole('alert')).toContainText('The directory is closed.')
  await expect(contacts(page)).toBeHidden()
  await page.unroute('**/api/getportalaccess')
  await card(page).getByRole('button', { name: 'Retry' }).click()
  await expect(contacts(page)).toBeVisible()
})

test.describe('goes to /nopermissions after rights were taken away', () => {
  const refused = { status: 403, json: { status: 'FAILURE', code: 'NOT_ALLOWED', err: 'Access is disabled.' } }

  for (const call of ['getportalaccess', 'getaccountswitches'])
    test(`on ${call}`, async ({ page }) => {
      await page.route(`**/api/${call}`, (route) => route.fulfill(refused))
      await signIn(page, 'busops', '/portalaccess?customer=100001')
      await expect(page).toHaveURL('/nopermissions?customer=100001')
      await expect(page.getByText('You do not have enough permissions to view this page.')).toBeVisible()
    })

  test('on a save, without asking about unsaved changes', async ({ page }) => {
    await page.route('**/api/setportalaccess', (route) => route.fulfill(refused))
    await signIn(page, 'busops', '/portalaccess?customer=100001')
    await addContact(page, 'late@aerodyne.example', VIEWER)
    await button(page, 'Save').click()
    await expect(page).toHaveURL('/nopermissions?customer=100001')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await page.getByRole('link', { name: 'Alerts', exact: true }).click()
    await expect(page).toHaveURL('/notifications?customer=100001')
  })

  test('on a save of the access settings', async ({ page }) => {
    await page.route('**/api/setaccountswitches', (route) => route.fulfill(refused))
    await signIn(page, 'busops', '/portalaccess?customer=100001')
    const switches = page.getByRole('region', { name: 'Business Operations' })
    await switches.getByRole('switch', { name: 'Access disabled' }).click()
    await switches.getByRole('button', { name: 'Save' }).click()
    await expect(page).toHaveURL('/nopermissions?customer=100001')
    await expect(page.getByRole('dialog')).toHaveCount(0)
  })
})

test('business operations sets sales access, license generators and disabled access', async ({ page }) => {
  test.slow()
  await signIn(page, 'busops', '/portalaccess?customer=200003')
  const switches = page.getByRole('region', { name: 'Business Operations' })
  const save = switches.getByRole('button', { name: 'Save' })
  await expect(save).toBeDisabled()
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
