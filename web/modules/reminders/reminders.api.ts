import { queryOptions } from '@tanstack/react-query'
import type { Reminders } from '#domain/reminders/reminders.ts'
import { FOR_A_FORM } from '#web/form/for-a-form.ts'
import { type Body, call } from '#web/lib/api/api-client.ts'
import { query } from '#web/lib/api/api-query.ts'

export const remindersQuery = (customerNumber: string) =>
  queryOptions({ ...query('getreminders', { body: { customerNumber } }), ...FOR_A_FORM })

export function saveReminders(customerNumber: string, reminders: Reminders, revision: number, idempotencyKey: string) {
  const body = structuredClone({ customerNumber, reminders, revision }) as Body<'setreminders'>
  return call('setreminders', { body, idempotencyKey })
}

export const calendarFeedsQuery = (customerNumber: string) => query('calendarfeeds', { body: { customerNumber } })
