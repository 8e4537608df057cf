import { EXPORT_DENIED, isExportApproved } from '#domain/access/can.ts'
import type { Portfolio } from '#web/app/customer/portfolio.ts'
import type { Customer } from '#web/lib/customer.tsx'

/** A page that says why a screen cannot be shown. It redirects as soon as the reason is gone. */
export type Information = {
  path: string
  title: string
  text: string
  ways: readonly ('select' | 'home' | 'support')[]
  /** Lists the accounts of the person. */
  offersAccounts?: true
  /** The text is about the customer, so the page waits until the customer is known. */
  isOfCustomer?: true
  /** Shows the first steps instead, in an installation where nobody has an account. */
  offersSetup?: true
  onwards?(now: Now): string | undefined
}

export type Now = {
  customer: Customer
  portfolio: Portfolio
  isStaff: boolean
  /** Whether another customer was selected since this page opened. */
  isOtherCustomer: boolean
  /** The page that the person wanted to open. */
  from: string | undefined
}

const START = '/elastic'

export const INFORMATION: readonly Information[] = [
  {
    path: 'noselectedcustomer',
    title: 'No customer selected',
    text: 'Please select a customer from the drop down menu at the top right.',
    ways: ['select', 'home'],
    offersAccounts: true,
    onwards: ({ customer, portfolio, from }) => {
      if (customer.state === 'known') return from ?? START
      return portfolio.state === 'none' ? '/nocustomer' : undefined
    },
  },
  {
    path: 'notypecustomer',
    title: 'Customer type',
    text: 'The selected customer needs to be either a direct or channel customer. Please contact support to correct the customer type.',
    ways: ['select', 'support'],
    isOfCustomer: true,
    onwards: ({ customer, isOtherCustomer }) => {
      if (isOtherCustomer || customer.state === 'none') return START
      return customer.state === 'known' && ['Direct', 'Channel'].includes(customer.info.orgType) ? START : undefined
    },
  },
  {
    path: 'nocustomer',
    title: 'No account',
    text: 'You must be an ASC (Support Coordinator) to access the account for this customer number, please contact your sales representative.',
    ways: ['support'],
    offersSetup: true,
    onwards: ({ portfolio, isStaff }) =>
      portfolio.state === 'single' || portfolio.state === 'many' || isStaff ? '/home' : undefined,
  },
  {
    path: 'nopermissions',
    title: 'No permission',
    text: 'You do not have enough permissions to view this page.',
    ways: ['home', 'support'],
    onwards: ({ isOtherCustomer }) => (isOtherCustomer ? START : undefined),
  },
  {
    path: 'noaccess',
    title: 'Access denied',
    text: EXPORT_DENIED,
    ways: ['select', 'support'],
    isOfCustomer: true,
    onwards: ({ customer }) => {
      if (customer.state === 'none') return START
      return customer.state === 'known' && isExportApproved(customer.info.ansysExportControlStatus) ? START : undefined
    },
  },
  {
    path: 'error/404',
    title: 'Page not found',
    text: 'There is no page at this address. It may have moved, or you may not have access to it.',
    ways: ['home', 'support'],
  },
]
