import { counted, elements, field, some, text, texts, type Words } from '#domain/audit/words.ts'

export const seatsText: Words['done'] = ({ target, after }) => {
  const lines = elements(field(after, 'activations'))
  const total = lines.reduce<number>((sum, line) => sum + (Number(field(line, 'count')) || 0), 0)
  const products = [...new Set(lines.map((line) => text(field(line, 'product'))).filter((name) => name !== ''))]
  const did = total < 0 ? 'Returned' : 'Activated'
  const where = text(field(after, 'server')) || target || 'a license server'
  const action = text(field(after, 'action'))
  return `${did} ${counted(Math.abs(total), 'seat')}${products.length > 0 ? ` of ${some(products)}` : ''} ${total < 0 ? 'from' : 'on'} ${where}${action === 'REHOST' ? ' (rehost)' : ''}`
}

/** The license file of a license server: its name is there since the words are. */
export const fileText =
  (did: string): Words['done'] =>
  ({ target, after }) =>
    `${did} the license file of ${text(field(after, 'server')) || target}`
export const generatedText = fileText('Generated')
export const emailedText: Words['done'] = (facts) =>
  `${fileText('Emailed')(facts)} to ${some([...texts(field(facts.after, 'to')), ...texts(field(facts.after, 'cc'))])}`
export const groupText: Words['done'] = ({ target, after }) => {
  const members = texts(after)
  return members.length > 0
    ? `Set who shares the license server ${target}: ${some(members)}`
    : `Nobody shares the license server ${target} any more`
}

const STEPS: Readonly<Record<string, Words['done']>> = {
  return: seatsText,
  create: seatsText,
  generate: generatedText,
  email: emailedText,
  override: groupText,
  'set group': groupText,
  'deactivate group': groupText,
}

/** A plan is logged when it is started, and again with each of its steps. */
export function planWords(did: string, what: string): Words {
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
