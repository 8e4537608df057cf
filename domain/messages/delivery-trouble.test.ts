import { expect, test } from 'vitest'
import { actor } from '#domain/access/standing.ts'
import { deliveryTrouble, NOT_DELIVERED_TO_ALL, NOT_DELIVERED_YET } from '#domain/messages/delivery-trouble.ts'

const SMTP = '550 5.1.1 former.colleague@aerodyne.example: no such mailbox'

test.each(['busops', 'support', 'sales', 'admin'])('%s reads what the mail server said', (role) => {
  expect(deliveryTrouble(actor('someone@vendor.example', [role]), { state: 'failed', trouble: SMTP })).toBe(SMTP)
})

test.each([
  ['failed', NOT_DELIVERED_YET],
  ['queued', NOT_DELIVERED_YET],
  ['sent', NOT_DELIVERED_TO_ALL],
  ['mailbox', NOT_DELIVERED_TO_ALL],
] as const)('a customer reads a plain sentence when an email is %s with trouble', (state, text) => {
  const customer = actor('ada.admin@aerodyne.example', [])
  expect(deliveryTrouble(customer, { state, trouble: SMTP })).toBe(text)
  expect(deliveryTrouble(customer, { state, trouble: '' })).toBe('')
})
