import { createContext, use } from 'react'
import type { AccountInfo } from '#contract/accounts/get-account-info.ts'
import type { AccountAction } from '#domain/access/can.ts'
import { can } from '#domain/access/can.ts'
import type { Standing } from '#domain/access/standing.ts'
import type { ApiError } from '#web/lib/api/api-error.ts'
import { useSignedIn } from '#web/lib/sign-in/signed-in.tsx'

/** An account that the server has confirmed. */
export type KnownCustomer = {
  state: 'known'
  number: string
  name: string
  info: AccountInfo
  standing: Standing
  /** Loads the account again after a change of rights or of what it holds. */
  reload(): Promise<void>
}

/** The customer that the address names, and whether the server has confirmed it. */
export type Customer =
  | { state: 'none' }
  | { state: 'asking'; number: string }
  | { state: 'unknown'; number: string }
  | { state: 'failed'; number: string; failure: ApiError | Error; retry(): void }
  | KnownCustomer

export const CustomerContext = createContext<Customer>({ state: 'none' })

export function useCustomer(): Customer {
  return use(CustomerContext)
}

export const ShownAccountContext = createContext<KnownCustomer | undefined>(undefined)

/** The account whose name is on the page: while another one loads, the one before. For names only, never for rights. */
export function useShownAccount(): Pick<KnownCustomer, 'number' | 'name'> | undefined {
  return use(ShownAccountContext)
}

/** For screens that need a customer. Their gate makes sure that there is one. */
export function useKnownCustomer(): KnownCustomer {
  const customer = use(CustomerContext)
  if (customer.state !== 'known') throw new Error('This screen needs a selected customer')
  return customer
}

/** Whether the signed-in person may do this on the selected customer. The server checks it again. */
export function useCan(action: AccountAction): boolean {
  const { actor } = useSignedIn()
  const customer = use(CustomerContext)
  return can(actor, action, customer.state === 'known' ? customer.standing : undefined).allowed
}
