import { queryOptions } from '@tanstack/react-query'
import type { WireRow } from '#contract/kit/list.ts'
import { emailList } from '#contract/messages/email-list.ts'
import type { Email } from '#contract/messages/emails.ts'
import { call } from '#web/lib/api-client.ts'
import { sourceOf } from '#web/table/list/declared-list.ts'

const ATTRIBUTES = ['id', 'date', 'subject', 'to', 'delivery', 'attachments'] as const
export type EmailRow = Pick<WireRow<typeof emailList.fields>, (typeof ATTRIBUTES)[number]>

export const emailSource = (customerNumber: string) =>
  sourceOf(emailList, { customerNumber }, { key: ['emails', customerNumber], attributes: ATTRIBUTES })

export function emailQuery(customerNumber: string, id: string) {
  return queryOptions({
    queryKey: ['email', customerNumber, id],
    queryFn: ({ signal }) => call('getemail', { body: { customerNumber, id }, signal }),
  })
}

export function removeEmail(customerNumber: string, id: string, idempotencyKey: string): Promise<null> {
  return call('emails/delete', { params: { id }, query: { customerNumber }, idempotencyKey })
}

export function sendEmailAgain(customerNumber: string, id: string, idempotencyKey: string): Promise<Email> {
  return call('emails/resend', { params: { id }, body: { customerNumber }, idempotencyKey })
}
