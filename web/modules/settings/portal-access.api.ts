import { queryOptions } from '@tanstack/react-query'
import { getPortalAccess, setPortalAccess } from '#contract/settings/portal-access.ts'
import {
  type AccountSwitches,
  getAccountSwitches,
  setAccountSwitches,
} from '#contract/settings/portal-access-switches.ts'
import type { Contact } from '#domain/settings/contacts.ts'
import { call } from '#web/lib/api-client.ts'

/** Read when the screen is opened; under a form that is being filled in nothing may change by itself. */
const FOR_A_FORM = {
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: 0,
  refetchOnWindowFocus: false,
  refetchOnReconnect: false,
} as const

export function contactsQuery(customerNumber: string) {
  return queryOptions({
    queryKey: ['contacts', customerNumber],
    queryFn: async ({ signal }) => (await call(getPortalAccess, { body: { customerNumber }, signal })) as Contact[],
    ...FOR_A_FORM,
  })
}

export async function saveContacts(
  customerNumber: string,
  newContacts: Contact[],
  oldContacts: Contact[],
  idempotencyKey: string,
) {
  const body = { customerNumber, newContacts, oldContacts }
  return (await call(setPortalAccess, { body, idempotencyKey })) as Contact[]
}

export function switchesQuery(customerNumber: string) {
  return queryOptions({
    queryKey: ['account-switches', customerNumber],
    queryFn: ({ signal }) => call(getAccountSwitches, { body: { customerNumber }, signal }),
    ...FOR_A_FORM,
  })
}

export function saveSwitches(
  customerNumber: string,
  newSwitches: AccountSwitches,
  oldSwitches: AccountSwitches,
  idempotencyKey: string,
) {
  return call(setAccountSwitches, { body: { customerNumber, newSwitches, oldSwitches }, idempotencyKey })
}
