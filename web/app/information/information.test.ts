import { expect, test } from 'vitest'
import type { Portfolio } from '#web/app/customer/portfolio.ts'
import { INFORMATION, type Now } from '#web/app/information/information.ts'
import type { Customer } from '#web/lib/customer.tsx'

const known = (ansysExportControlStatus: string, orgType = 'Undefined'): Customer =>
  ({ state: 'known', number: '100001', info: { ansysExportControlStatus, orgType } }) as Customer
const none: Customer = { state: 'none' }
const many: Portfolio = { state: 'many' }

test.each<[path: string, now: Partial<Now>, onwards: string | undefined]>([
  ['noselectedcustomer', { customer: none }, undefined],
  ['noselectedcustomer', { customer: { state: 'asking', number: '1' } }, undefined],
  ['noselectedcustomer', { customer: known('') }, '/elastic'],
  ['noselectedcustomer', { customer: known(''), from: '/ssl' }, '/ssl'],
  ['noselectedcustomer', { customer: none, portfolio: { state: 'none' } }, '/nocustomer'],
  ['notypecustomer', { customer: known('') }, undefined],
  ['notypecustomer', { customer: known('', 'Indirect') }, undefined],
  ['notypecustomer', { customer: known('', 'Direct') }, '/elastic'],
  ['notypecustomer', { customer: known('', 'Channel') }, '/elastic'],
  ['notypecustomer', { customer: known(''), isOtherCustomer: true }, '/elastic'],
  ['nocustomer', { portfolio: { state: 'none' } }, undefined],
  ['nocustomer', { portfolio: { state: 'asking' } }, undefined],
  ['nocustomer', { portfolio: many }, '/home'],
  ['nocustomer', { portfolio: { state: 'none' }, isStaff: true }, '/home'],
  ['nopermissions', { customer: known('') }, undefined],
  ['nopermissions', { customer: known(''), isOtherCustomer: true }, '/elastic'],
  ['noaccess', { customer: known('Pending') }, undefined],
  ['noaccess', { customer: known('approved') }, '/elastic'],
  ['noaccess', { customer: known('') }, '/elastic'],
  ['noaccess', { customer: { state: 'asking', number: '1' } }, undefined],
  ['noaccess', { customer: none }, '/elastic'],
])('/%s with %o leads to %s', (path, now, onwards) => {
  const page = INFORMATION.find((one) => one.path === path)
  expect(
    page?.onwards?.({
      customer: none,
      portfolio: many,
      isStaff: false,
      isOtherCustomer: false,
      from: undefined,
      ...now,
    }),
  ).toBe(onwards)
})

test.each([
  ['noselectedcustomer', 'Please select a customer from the drop down menu at the top right.'],
  [
    'notypecustomer',
    'The selected customer needs to be either a direct or channel customer. Please contact support to correct the customer type.',
  ],
  [
    'nocustomer',
    'You must be an ASC (Support Coordinator) to access the account for this customer number, please contact your sales representative.',
  ],
  ['nopermissions', 'You do not have enough permissions to view this page.'],
  ['noaccess', 'Access to this customer is denied per Export Compliance restrictions.'],
])('/%s says: %s', (path, text) => {
  expect(INFORMATION.find((one) => one.path === path)?.text).toBe(text)
})
