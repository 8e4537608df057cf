import { queryOptions } from '@tanstack/react-query'
import type { Contact } from '#domain/settings/contacts.ts'
import { FOR_A_FORM } from '#web/form/for-a-form.ts'
import { call, type Data } from '#web/lib/api/api-client.ts'
import { query } from '#web/lib/api/api-query.ts'

export const contactsQuery = (customerNumber: string) =>
  queryOptions({ ...query('getportalaccess', { body: { customerNumber } }), ...FOR_A_FORM })

/** To choose from, outside of the form. */
/** Apart from the form's rows, which are never loaded again by themselves. */
export const contactChoiceQuery = (customerNumber: string) =>
  queryOptions({
    queryKey: ['contact-choice', customerNumber],
    queryFn: ({ signal }) => call('getportalaccess', { body: { customerNumber }, signal }),
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

export const switchesQuery = (customerNumber: string) =>
  queryOptions({ ...query('getaccountswitches', { body: { customerNumber } }), ...FOR_A_FORM })
