import type { Tables } from '#server/db/tables.ts'

export const messagesTables: Tables = {
  owns: ['mail', 'mail_attachment', 'alert'],
  reads: { account: 'An email names its account.' },
}
