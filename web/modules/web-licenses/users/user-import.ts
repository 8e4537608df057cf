import type { SavedUserLine } from '#contract/web-licenses/web-users.ts'
import type { UserLine } from '#domain/web-licenses/user-file.ts'
import { countText } from '#web/lib/format.ts'

type Outcome = SavedUserLine['change'] | 'refused'
/** A line of the file and what becomes of it. */
export type ImportRow = UserLine & {
  readonly outcome: Outcome
  /** The outcome in words. */
  readonly result: string
  /** Why the line is refused, or what changes. */
  readonly detail: string
}

/** In words before the import, and after it. */
const WORDS = {
  preview: { add: 'To be created', update: 'To be changed', none: 'Unchanged', refused: 'Refused' },
  report: { add: 'Created', update: 'Changed', none: 'Unchanged', refused: 'Refused' },
} as const
export type ImportPhase = keyof typeof WORDS
export const resultsOf = (phase: ImportPhase): readonly string[] => Object.values(WORDS[phase])

/** Lines that are refused because of what they hold are not sent. */
export const isSent = ({ problem }: UserLine) => problem === undefined

/** All lines of the file with the answers to those that were sent, in the same order. */
export function toImportRows(
  users: readonly UserLine[],
  answers: readonly SavedUserLine[],
  phase: ImportPhase,
): ImportRow[] {
  const rest = answers[Symbol.iterator]()
  return users.map((user): ImportRow => {
    const answer = isSent(user) ? rest.next().value : undefined
    if (answer?.status !== 'SUCCESS')
      return { ...user, outcome: 'refused', result: WORDS[phase].refused, detail: user.problem ?? answer?.err ?? '' }
    const { change } = answer
    return { ...user, outcome: change, result: WORDS[phase][change], detail: changeText(answer, phase) }
  })
}

function changeText({ renamedFrom, joins, assigns }: SavedUserLine, phase: ImportPhase): string {
  const isDone = phase === 'report'
  const rename = `${isDone ? 'Renamed' : 'Renames'} ${renamedFrom === '' ? 'the user, who has had no name' : `“${renamedFrom}”`}.`
  const join = `${isDone ? 'Joined' : 'Joins'} ${joins.join(', ')}.`
  const products = assigns.map(({ activationId, product }) => `${product} (${activationId})`).join(', ')
  const assign = isDone ? `Assigned to ${products}.` : `Will be assigned to ${products}.`
  return [
    ...(renamedFrom === null ? [] : [rename]),
    ...(joins.length > 0 ? [join] : []),
    ...(assigns.length > 0 ? [assign] : []),
  ].join(' ')
}

export const countOf = (rows: readonly ImportRow[], ...outcomes: readonly Outcome[]) =>
  rows.filter(({ outcome }) => outcomes.includes(outcome)).length

/** How many lines have which outcome: "5 lines: 2 created, 1 changed, 1 unchanged, 1 refused." */
export function importSummary(rows: readonly ImportRow[], phase: ImportPhase): string {
  const words = WORDS[phase]
  const counts = (['add', 'update', 'none', 'refused'] as const).map(
    (outcome) => `${countText(countOf(rows, outcome))} ${words[outcome].toLowerCase()}`,
  )
  return `${countText(rows.length)} ${rows.length === 1 ? 'line' : 'lines'}: ${counts.join(', ')}.`
}
