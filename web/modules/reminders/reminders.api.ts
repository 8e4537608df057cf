import { queryOptions } from '@tanstack/react-query'
import type { Reminders } from '#domain/reminders/reminders.ts'
import { FOR_A_FORM } from '#web/form/for-a-form.ts'
import { type Body, call } from '#web/lib/api-client.ts'

export function remindersQuery(customerNumber: string) {
  return queryOptions({
    queryKey: ['reminders', customerNumber],
    queryFn: ({ signal }) => call('getreminders', { body: { customerNumber }, signal }),
    ...FOR_A_FORM,
  })
}

export function saveReminders(customerNumber: string, reminders: Reminders, revision: number, idempotencyKey: string) {
  const body = structuredClone({ customerNumber, reminders, revision }) as Body<'setreminders'>
  return call('setreminders', { body, idempotencyKey })
}

export function calendarFeedsQuery(customerNumber: string) {
  return queryOptions({
    queryKey: ['calendar-feeds', customerNumber],
    queryFn: ({ signal }) => call('calendarfeeds', { body: { customerNumber }, signal }),
  })
}

export function createFeed(customerNumber: string, name: string, idempotencyKey: string) {
  return call('createcalendarfeed', { body: { customerNumber, name }, idempotencyKey })
}

export function revokeFeed(customerNumber: string, id: string, idempotencyKey: string) {
  return call('revokecalendarfeed', { body: { customerNumber, id }, idempotencyKey })
}
