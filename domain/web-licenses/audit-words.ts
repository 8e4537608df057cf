import { elements, field, some, text } from '#domain/audit/words.ts'

export const assigned = (lines: readonly unknown[]) => {
  const holders = [
    ...new Set(lines.map((line) => text(field(line, 'email')) || text(field(line, 'group')) || 'a group')),
  ]
  const products = [...new Set(lines.map((line) => text(field(line, 'product')) || text(field(line, 'activationId'))))]
  return { holders: some(holders), products: some(products) }
}
export const emailsIn = (users: unknown) => elements(users).map((user) => text(field(user, 'email')))
