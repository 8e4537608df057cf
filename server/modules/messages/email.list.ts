import { sql } from 'kysely'
import { emailList } from '#contract/messages/email-list.ts'
import { listSource, theCustomer } from '#server/lists/list-source.ts'

type EmailScope = { readonly customerNumber: string }

/** The email history of one account. */
export const emailSource = listSource(emailList, {
  columns: {
    id: 'm.id',
    date: 'm.queued_at',
    subject: 'm.subject',
    to: "array_to_string(m.recipients, ', ')",
    customerNumber: 'm.customer_number',
    customerName: 'a.name',
    delivery: 'm.state',
    attachments: 'select count(*) from mail_attachment t where t.customer_number = the.customer and t.mail_id = m.id',
  },
  from: (scope: EmailScope) =>
    sql`mail m cross join ${theCustomer(scope)} join account a on a.customer_number = m.customer_number`,
  scope: ({ customerNumber }: EmailScope) =>
    sql<boolean>`m.customer_number = ${customerNumber} and m.deleted_at is null`,
})
