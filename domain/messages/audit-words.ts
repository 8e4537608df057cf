import { field, text, type Words } from '#domain/audit/words.ts'

export const alertWords = (did: string, what: string): Words => ({
  what: `${what} an alert`,
  done: ({ after }) => `${did} the alert "${text(field(after, 'title'))}"`,
})
