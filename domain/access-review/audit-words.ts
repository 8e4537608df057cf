import { field, text, type Words } from '#domain/audit/words.ts'

/** "Took away the access of ann@x.example: Contact, left the company" */
export const decidedWords: Words = {
  what: 'decide on an access',
  done({ target, after }) {
    const count = field(after, 'count')
    if (typeof count === 'number') return `Kept ${count.toLocaleString('en-US')} ${count === 1 ? 'access' : 'accesses'}`
    const reason = text(field(after, 'reason'))
    return `Took away ${text(field(after, 'access')) || target}${reason === '' ? '' : `: ${reason}`}`
  },
}

export const openedWords: Words = {
  what: 'open an access review',
  done: ({ after }) => `Opened an access review, due on ${text(field(after, 'dueOn'))}`,
}

export const finishedWords: Words = {
  what: 'finish an access review',
  done: ({ after }) => `Finished the access review: ${text(field(after, 'outcome'))}`,
}
