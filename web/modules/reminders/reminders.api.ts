import { queryOptions } from '@tanstack/react-query'
import {
  createCalendarFeed,
  getReminders,
  listCalendarFeeds,
  revokeCalendarFeed,
  setReminders,
} from '#contract/reminders/reminders.ts'
import type { Reminders } from '#domain/reminders/reminders.ts'
import { FOR_A_FORM } from '#web/form/for-a-form.ts'
import { call } from '#web/lib/api-client.ts'

export function remindersQuery(customerNumber: string) {
  return queryOptions({
    queryKey: ['reminders', customerNumber],
    queryFn: ({ signal }) => call(getReminders, { body: { customerNumber }, signal }),
    ...FOR_A_FORM,
  })
}

export function saveReminders(customerNumber: string, reminders: Reminders, revision: number, idempotencyKey: string) {
  const body = structuredClone({ customerNumber, reminders, revision }) as Parameters<
    typeof call<typeof setReminders>
  >[1]['body']
  return call(setReminders, { body, idempotencyKey })
}

export function calendarFeedsQuery(customerNumber: string) {
  return queryOptions({
    queryKey: ['calendar-feeds', customerNumber],
    queryFn: ({ signal }) => call(listCalendarFeeds, { body: { customerNumber }, signal }),
  })
}

export function createFeed(customerNumber: string, name: string, idempotencyKey: string) {
  return call(createCalendarFeed, { body: { customerNumber, name }, idempotencyKey })
}

export function revokeFeed(customerNumber: string, id: string, idempotencyKey: string) {
  return call(revokeCalendarFeed, { body: { customerNumber, id }, idempotencyKey })
}
