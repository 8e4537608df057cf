import type { WireRow } from '#contract/kit/list.ts'
import { emailList } from '#contract/messages/email-list.ts'
import { query } from '#web/lib/api/api-query.ts'
import { sourceOf } from '#web/table/list/declared-list.ts'

const ATTRIBUTES = ['id', 'date', 'subject', 'to', 'delivery', 'attachments'] as const
export type EmailRow = Pick<WireRow<typeof emailList.fields>, (typeof ATTRIBUTES)[number]>

export const emailSource = (customerNumber: string) =>
  sourceOf(emailList, { customerNumber }, { key: ['emails', customerNumber], attributes: ATTRIBUTES })

export const emailQuery = (customerNumber: string, id: string) => query('getemail', { body: { customerNumber, id } })
