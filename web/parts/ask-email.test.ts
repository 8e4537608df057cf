import { expect, test } from 'vitest'
import { askEmail } from '#web/parts/ask-email.ts'

const asked = {
  account: { number: '100001', name: 'Aero Works', supportEmail: 'support@vendor.example' },
  about: 'elastic units',
  request: 'Please send us an offer.',
  facts: ['Reason: used up'],
}

test('an email to the vendor names the account and has the facts', () => {
  const link = new URL(askEmail(asked) ?? '')
  expect(link.pathname).toBe('support@vendor.example')
  expect(link.searchParams.get('subject')).toBe('Account 100001: elastic units')
  expect(link.searchParams.get('body')).toBe(
    'Please send us an offer.\n\nAccount: Aero Works (100001)\nReason: used up\n',
  )
})

test('an account without a support address has no email to ask with', () => {
  expect(askEmail({ ...asked, account: { ...asked.account, supportEmail: '' } })).toBe(undefined)
})
