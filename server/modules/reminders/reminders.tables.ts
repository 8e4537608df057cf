import type { ColumnType } from 'kysely'
import type { Reminders } from '#domain/reminders/reminders.ts'
import type { Json } from '#server/db/column-types.ts'
import type { Tables } from '#server/db/tables.ts'

export type RemindersRows = {
  reminder_settings: { customer_number: string; settings: Json<Reminders>; saved_by: string; saved_at: Date }
  reminder_sent: { customer_number: string; key: string; told: string | null; sent_at: Date }
  calendar_feed: {
    customer_number: string
    id: string
    name: string
    secret_hash: Buffer
    created_by: string
    created_at: Date
    used_at: ColumnType<Date | null, Date | null | undefined, Date>
    revoked_at: ColumnType<Date | null, Date | null | undefined, Date>
  }
}

declare module '#server/db/schema.ts' {
  interface DB extends RemindersRows {}
}

export const remindersTables: Tables<RemindersRows> = {
  owns: ['reminder_settings', 'reminder_sent', 'calendar_feed'],
  reads: { account: 'Accounts that export compliance has closed get no reminders and no calendar.' },
}
