import type { Generated } from 'kysely'
import type { AlertCategory, AlertLink, AlertStatus } from '#domain/messages/alerts.ts'
import type { Json } from '#server/db/column-types.ts'
import type { Tables } from '#server/db/tables.ts'

export type MessagesRows = {
  mail: {
    customer_number: string
    id: Generated<string>
    queued_at: Date
    message_id: string
    recipients: string[]
    copies: Generated<string[]>
    subject: string
    body_html: string
    body_text: string
    state: Generated<'queued' | 'sent' | 'mailbox' | 'failed'>
    attempts: Generated<number>
    delivered_at: Date | null
    trouble: Generated<string>
    deleted_at: Date | null
    deleted_by: string | null
  }
  mail_attachment: {
    customer_number: string
    mail_id: string
    position: number
    name: string
    media_type: string
    content: Buffer
  }
  mail_brake: { person: string; kind: string; recipient: string; sent_at: Date[]; latest_at: Date }
  alert: {
    id: Generated<string>
    category: AlertCategory
    status: Generated<AlertStatus>
    starts_at: Date
    expires_at: Date | null
    description: string
    services: string[]
    links: Json<AlertLink[]>
    revision: Generated<number>
    created_by: string
    created_at: Date
    changed_at: Date
  }
}

declare module '#server/db/schema.ts' {
  interface DB extends MessagesRows {}
}

export const messagesTables: Tables<MessagesRows> = {
  owns: ['mail', 'mail_attachment', 'mail_brake', 'alert'],
  reads: { account: 'An email names its account.' },
}
