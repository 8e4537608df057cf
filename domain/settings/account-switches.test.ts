import { expect, test } from 'vitest'
import { readSwitches, sameSwitches } from '#domain/settings/account-switches.ts'
import { EMAIL_FORMAT, EMAIL_REQUIRED, FREE_DOMAIN } from '#domain/settings/email-address.ts'

const freeDomains = new Set(['gmail.com'])
const none = { isAccessDisabled: false, salesAccess: [], fnpLicenseGenerators: [] }

test('switches are stored in lower case, sorted, without duplicates', () => {
  const draft = { ...none, salesAccess: ['b@partner.example', ' A@Partner.example', 'B@partner.example'] }
  const kept = { ...none, salesAccess: ['a@partner.example', 'b@partner.example'] }
  expect(readSwitches(draft, freeDomains)).toEqual({ switches: kept })
  expect(sameSwitches(draft, kept)).toBe(true)
  expect(sameSwitches(kept, { ...kept, isAccessDisabled: true })).toBe(false)
  expect(sameSwitches(kept, { ...none, fnpLicenseGenerators: kept.salesAccess })).toBe(false)
})

test.each([
  ['', EMAIL_REQUIRED],
  ['greta', EMAIL_FORMAT],
  ['greta@gmail.com', FREE_DOMAIN],
])('%j is refused: %s', (email, error) => {
  expect(readSwitches({ ...none, salesAccess: [email] }, freeDomains)).toEqual({ error })
  expect(readSwitches({ ...none, fnpLicenseGenerators: [email] }, freeDomains)).toEqual({ error })
})
