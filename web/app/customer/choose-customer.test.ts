import { expect, test } from 'vitest'
import { pathOnOtherAccount } from '#web/app/customer/choose-customer.ts'

test.each([
  ['/emails', '/emails'],
  ['/emails/e0000000-0000-4000-8000-100001000001', '/emails'],
  ['/ssl', '/ssl'],
  ['/home', '/home'],
  ['/notification-details/7', '/notification-details/7'],
  ['/nowhere', '/nowhere'],
])('choosing another account on %s leads to %s', (pathname, path) => {
  expect(pathOnOtherAccount(pathname)).toBe(path)
})
