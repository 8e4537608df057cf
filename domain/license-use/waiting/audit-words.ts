import { field, number, text, type Words } from '#domain/audit/words.ts'
import { seatsText } from '#domain/license-use/waiting/waiting-rules.ts'

/** "Got in line for 2 seats of solver on lic-1". The entries name no user: the log would tell who a pseudonym stands for. */
export const lineWords = (did: string, what: string): Words => ({
  what,
  done({ target, after }) {
    const server = text(field(after, 'server'))
    const priority = text(field(after, 'priority'))
    const seats = seatsText(number(field(after, 'seats')) || 1, target ?? 'a feature')
    return `${did} ${seats}${server && ` on ${server}`}${priority && `: ${priority}`}`
  },
})

export const askedHolderWords = (what: string): Words => ({
  what,
  done: ({ target, after }) =>
    `Asked ${text(field(after, 'holder')) || 'a holder'} for a seat of ${target ?? 'a feature'}`,
})
