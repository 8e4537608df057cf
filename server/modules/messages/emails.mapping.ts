import type { Email } from '#contract/messages/emails.ts'
import type { Actor } from '#domain/access/standing.ts'
import { deliveryTrouble } from '#domain/messages/delivery-trouble.ts'
import type { AttachmentRow, EmailRow } from '#server/modules/messages/emails.queries.ts'
import { escaped } from '#server/modules/messages/mail-frame.ts'
import { sanitizeBody } from '#server/modules/messages/sanitize-body.ts'

export function toEmail(reader: Actor, row: EmailRow, attachments: readonly AttachmentRow[]): Email {
  const address = (path: string) => `/api/emails/${row.id}/${path}?customerNumber=${row.customer_number}`
  return {
    id: row.id,
    date: row.queued_at.toISOString(),
    subject: row.subject,
    to: row.recipients.join(', '),
    cc: row.copies.join(', '),
    customerNumber: row.customer_number,
    customerName: row.customer_name,
    delivery: row.state,
    trouble: deliveryTrouble(reader, row),
    body: toBody(row),
    bodyUrl: address('body'),
    attachments: attachments.map(({ position, name, media_type, size }) => ({
      name,
      mediaType: media_type,
      size,
      url: address(`attachments/${position}`),
    })),
  }
}

function toBody({ body_html, body_text }: Pick<EmailRow, 'body_html' | 'body_text'>): string {
  return body_html === '' ? `<pre style="white-space:pre-wrap">${escaped(body_text)}</pre>` : sanitizeBody(body_html)
}

/** The body as a whole page. The sanitizer removes the email's own head, so this adds one. */
export function toBodyPage(row: EmailRow): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="color-scheme" content="light"><title>${escaped(row.subject)}</title></head>
<body style="margin:16px;background-color:#ffffff;color:#1f2933;font-family:Arial,Helvetica,sans-serif;font-size:15px">
${toBody(row)}
</body>
</html>
`
}
