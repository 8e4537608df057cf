import {
  counted,
  download,
  elements,
  field,
  plain,
  some,
  text,
  texts,
  type Words,
  type WordsByAction,
} from '#domain/audit/words.ts'

const seats: Words['done'] = ({ target, after }) => {
  const lines = elements(field(after, 'activations'))
  const total = lines.reduce<number>((sum, line) => sum + (Number(field(line, 'count')) || 0), 0)
  const products = [...new Set(lines.map((line) => text(field(line, 'product'))).filter((name) => name !== ''))]
  const did = total < 0 ? 'Returned' : 'Activated'
  const where = text(field(after, 'server')) || target || 'a license server'
  const action = text(field(after, 'action'))
  return `${did} ${counted(Math.abs(total), 'seat')}${products.length > 0 ? ` of ${some(products)}` : ''} ${total < 0 ? 'from' : 'on'} ${where}${action === 'REHOST' ? ' (rehost)' : ''}`
}

/** The license file of a license server: its name is there since the words are. */
const file =
  (did: string): Words['done'] =>
  ({ target, after }) =>
    `${did} the license file of ${text(field(after, 'server')) || target}`
const generated = file('Generated')
const emailed: Words['done'] = (facts) =>
  `${file('Emailed')(facts)} to ${some([...texts(field(facts.after, 'to')), ...texts(field(facts.after, 'cc'))])}`
const group: Words['done'] = ({ target, after }) => {
  const members = texts(after)
  return members.length > 0
    ? `Set who shares the license server ${target}: ${some(members)}`
    : `Nobody shares the license server ${target} any more`
}

const STEPS: Readonly<Record<string, Words['done']>> = {
  return: seats,
  create: seats,
  generate: generated,
  email: emailed,
  override: group,
  'set group': group,
  'deactivate group': group,
}

/** A plan is logged when it is started, and again with each of its steps. */
function plan(did: string, what: string): Words {
  return {
    what,
    done(facts) {
      const { after, target } = facts
      const step = STEPS[text(field(after, 'step'))]
      if (step) return step({ ...facts, after: field(after, 'did') })
      const counts = elements(field(after, 'changes')).map((change) => Number(field(change, 'count')) || 0)
      const sum = (some: readonly number[]) => Math.abs(some.reduce((total, count) => total + count, 0))
      // Seats that are moved are returned and activated again.
      const moved = Math.max(sum(counts.filter((count) => count > 0)), sum(counts.filter((count) => count < 0)))
      const to = text(field(after, 'target'))
      return `Started to ${did}${target ? ` ${target}` : ''}${to ? ` to ${to}` : ''}${moved > 0 ? `: ${counted(moved, 'seat')}` : ''}`
    },
  }
}

export const ACTIVATIONS_WORDS: WordsByAction = {
  'fulfillments/create': { what: 'activate seats', done: seats },
  'fulfillments/return': { what: 'return seats', done: seats },
  'fulfillments/save': plan('save the seats of', 'save the seats of a license server'),
  'fulfillments/rehost': plan('rehost', 'rehost a license server'),
  'fulfillments/deactivate': plan('deactivate', 'deactivate a license server'),
  'fulfillments/forcereturn': plan('take back all seats of', 'take back the seats of a lost license server'),
  'fulfillments/renew': plan('renew the entitlements of', 'renew entitlements'),
  'fulfillments/regenerate': plan('generate outdated license files again', 'generate license files again'),
  'fulfillments/license': { what: 'generate a license file', done: generated },
  'fulfillments/download': { what: 'download a license file', done: file('Downloaded') },
  'fulfillments/files/text': download('the license file'),
  'fulfillments/files/difference': plain('Compared two license files', 'compare license files'),
  'fulfillments/email': { what: 'email a license file', done: emailed },
  'fulfillments/override': { what: 'take customers out of a shared license server', done: group },
  sharedserver: { what: 'change who shares a license server', done: group },
  'sharedserver/deactivate': { what: 'leave a shared license server', done: group },
  'sharedserver/remove': {
    what: 'delete a license server',
    done: ({ target, before, after }) =>
      Array.isArray(after)
        ? group({ target, before, after })
        : `Deleted the license server ${text(field(before, 'serverName')) || target}`,
  },
  'fulfillments/plan/files': download('license files'),
  'fulfillments/servers/export': download('the history of license servers'),
}
