import type { Tables } from '#server/db/tables.ts'

export const messagesTables: Tables = {
  owns: ['mail', 'mail_attachment', 'mail_brake', 'alert'],
  reads: { account: 'An email names its account.' },
}
