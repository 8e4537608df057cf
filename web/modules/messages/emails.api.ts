import { queryOptions } from '@tanstack/react-query'
import { MAX_DISTINCT } from '#contract/kit/list.ts'
import type { DataOf } from '#contract/kit/operation.ts'
import {
  countEmails,
  deleteEmail,
  distinctEmails,
  type Email,
  getEmail,
  getEmails,
  resendEmail,
} from '#contract/messages/emails.ts'
import type { Fields } from '#domain/filter/fields.ts'
import { ask, call } from '#web/lib/api-client.ts'
import type { ListSource } from '#web/ui/grid/list/list-source.ts'

export type EmailRow = Required<DataOf<typeof getEmails>[number]>

const FIELDS = {
  id: { type: 'text' },
  date: { type: 'instant' },
  subject: { type: 'text' },
  to: { type: 'text' },
} as const satisfies Fields

const ATTRIBUTES = ['id', 'date', 'subject', 'to', 'delivery', 'attachments']

export function emailSource(customerNumber: string): ListSource<EmailRow> {
  return {
    key: ['emails', customerNumber],
    fields: FIELDS,
    async fetchPage({ filter, sorting, from, limit, signal }) {
      const body = { customerNumber, filter, sorting: [...sorting], attributes: ATTRIBUTES, limit, ...from }
      const { data, token } = await ask(getEmails, { body, signal })
      return { rows: data as EmailRow[], token }
    },
    count: ({ filter, signal }) => call(countEmails, { body: { customerNumber, filter }, signal }),
    async distinct({ field, filter, signal }) {
      const body = { customerNumber, filter, key: field, limit: MAX_DISTINCT }
      return (await call(distinctEmails, { body, signal })).map(String)
    },
  }
}

export function emailQuery(customerNumber: string, id: string) {
  return queryOptions({
    queryKey: ['email', customerNumber, id],
    queryFn: ({ signal }) => call(getEmail, { body: { customerNumber, id }, signal }),
  })
}

export function removeEmail(customerNumber: string, id: string): Promise<null> {
  return call(deleteEmail, { params: { id }, query: { customerNumber } })
}

export function sendEmailAgain(customerNumber: string, id: string): Promise<Email> {
  return call(resendEmail, { params: { id }, body: { customerNumber } })
}
