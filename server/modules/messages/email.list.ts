import { sql } from 'kysely'
import { defineList } from '#server/lists/list-source.ts'

/** The e-mail history of one account, the newest first. */
export const emailList = defineList({
  name: 'emails',
  fields: {
    id: { type: 'text', column: 'm.id', nullable: false },
    date: { type: 'instant', column: 'm.queued_at', nullable: false },
    subject: { type: 'text', column: 'm.subject', nullable: false },
    to: { type: 'text', column: "array_to_string(m.recipients, ', ')", nullable: false },
    customerNumber: { type: 'text', column: 'm.customer_number', nullable: false },
    customerName: { type: 'text', column: 'a.name', nullable: false },
    delivery: { type: 'text', column: 'm.state', nullable: false },
    attachments: {
      type: 'number',
      column: 'select count(*) from mail_attachment t where t.customer_number = m.customer_number and t.mail_id = m.id',
      nullable: false,
    },
  },
  key: ['id'],
  defaultSort: [{ name: 'date', direction: 'desc' }],
  from: sql`mail m join account a on a.customer_number = m.customer_number`,
  scope: ({ customerNumber }: { customerNumber: string }) =>
    sql<boolean>`m.customer_number = ${customerNumber} and m.deleted_at is null`,
})
