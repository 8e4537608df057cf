import type { Tables } from '#server/db/tables.ts'

export const remindersTables: Tables = {
  owns: ['reminder_settings', 'reminder_sent', 'calendar_feed'],
  reads: { account: 'Accounts that export compliance has closed get no reminders and no calendar.' },
}
