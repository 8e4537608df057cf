import {
  difference,
  download,
  elements,
  field,
  named,
  some,
  text,
  texts,
  type WordsByAction,
} from '#domain/audit/words.ts'

const assigned = (lines: readonly unknown[]) => {
  const holders = [
    ...new Set(lines.map((line) => text(field(line, 'email')) || text(field(line, 'group')) || 'a group')),
  ]
  const products = [...new Set(lines.map((line) => text(field(line, 'product')) || text(field(line, 'activationId'))))]
  return { holders: some(holders), products: some(products) }
}
const emailsIn = (users: unknown) => elements(users).map((user) => text(field(user, 'email')))

export const WEB_LICENSES_WORDS: WordsByAction = {
  'web/checkouts/export': download('checkouts of web licenses'),
  'web/denials/export': download('denied checkouts of web licenses'),
  'web/assign': {
    what: 'assign web licenses',
    done: ({ before, after }) => {
      const { holders, products } = assigned(elements(Array.isArray(after) ? after : field(after, 'assigned')))
      const from = emailsIn(before)
      return `Assigned ${products} to ${holders}${from.length > 0 ? ` instead of ${some(from)}` : ''}`
    },
  },
  'web/unassign': {
    what: 'take web licenses back',
    done: ({ before }) => {
      const { holders, products } = assigned(elements(before))
      return `Took ${products} back from ${holders}`
    },
  },
  'web/groups/create': named('Created the group', 'create a group', 'after'),
  'web/groups/rename': {
    what: 'rename a group',
    done: ({ before, after }) => `Renamed the group ${text(field(before, 'name'))} to ${text(field(after, 'name'))}`,
  },
  'web/groups/delete': named('Deleted the group', 'delete a group', 'before'),
  'web/groups/members': {
    what: 'change the members of a group',
    done: ({ target, before, after }) =>
      `Changed the members of the group ${text(field(after, 'name')) || target}${difference(texts(field(before, 'removed')), texts(field(after, 'added')))}`,
  },
  'web/users/save': {
    what: 'save web users',
    done: ({ after }) => `Saved the web users ${some(emailsIn(after))}`.trimEnd(),
  },
  'web/users/delete': {
    what: 'delete web users',
    done: ({ before }) => `Deleted the web users ${some(emailsIn(before))}`,
  },
  'web/report/export': download('the report about web licenses'),
  'web/report/pdf': download('the report about web licenses'),
}
