import { expect, test } from 'vitest'
import {
  canCloseTab,
  isSameGroup,
  leavingWarning,
  openTabs,
  refusedMembers,
  unmanagedWarning,
  wantedGroup,
} from '#domain/activations/hosts/shared-server.ts'

test('a group needs more than one customer, and its order does not matter', () => {
  expect(wantedGroup(['1'])).toEqual([])
  expect(wantedGroup(['1', '2'])).toEqual(['1', '2'])
  expect(isSameGroup(['1', '2'], ['2', '1'])).toBe(true)
  expect(isSameGroup(['1', '2'], ['1', '3'])).toBe(false)
  expect(isSameGroup(['1', '2'], ['1', '2', '3'])).toBe(false)
})

test('warns of customers whose tab was closed', () => {
  expect(leavingWarning([])).toBeUndefined()
  expect(leavingWarning(['100002'])).toBe(
    'Customer 100002 will be removed from the license file and will no longer share this license server. Its seats stay activated.',
  )
  expect(leavingWarning(['100002', '100003'])).toContain('Customers 100002, 100003 will be removed')
})

test('warns of customers that the caller does not manage', () => {
  const members = [
    { customerNumber: '100003', isManaged: true },
    { customerNumber: '100010', isManaged: false },
    { customerNumber: '100011', isManaged: false },
  ]
  expect(unmanagedWarning(members)).toBe(
    'This license server is shared with customer numbers that you do not manage: 100010, 100011. They will be removed from the license file.',
  )
  expect(unmanagedWarning(members.slice(0, 1))).toBe(undefined)
})

test('refuses new members who are not writable or not export-approved', () => {
  const status = (number: string) => ({ '3': 'Pending', '4': 'Denied' })[number] ?? 'Approved'
  const rights = { writable: new Set(['1', '2', '3']), members: new Set(['4']) }
  expect(refusedMembers(['1', '2'], rights, status)).toEqual([])
  expect(refusedMembers(['1', '2', '3', '4', '5'], rights, status)).toEqual(['3', '5'])
})

test('the selected customer is the first tab, and the others are open while they have seats', () => {
  const tab = (customerNumber: string, ...assigned: number[]) => ({ customerNumber, assigned })
  expect(openTabs([tab('2', 1), tab('3'), tab('1')], '1')).toEqual([tab('1'), tab('2', 1)])
  expect([canCloseTab([1]), canCloseTab([1, 2])]).toEqual([false, true])
})
