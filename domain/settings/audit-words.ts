import { elements, field, isObject, text, type Words } from '#domain/audit/words.ts'

/** A named view of a table. */
export const viewWords = (did: string, what: string): Words => ({
  what: `${what} a view of a table`,
  done({ before, after }) {
    const saved = isObject(after) ? after : before
    const name = `"${text(field(saved, 'name'))}"`
    const owned = field(saved, 'isShared') ? `shared view ${name} of ${text(field(saved, 'owner'))}` : `view ${name}`
    return `${did} the ${owned} (${text(field(saved, 'tableName'))})`
  },
})

export const rolesIn = (contacts: unknown) =>
  new Map(elements(contacts).map((one) => [text(field(one, 'email')), text(field(one, 'role'))]))
