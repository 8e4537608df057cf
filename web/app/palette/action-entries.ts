import { can } from '#domain/access/can.ts'
import { searchedText } from '#domain/search/searched-text.ts'
import { WORD_BEGINNINGS } from '#domain/search/word-rank.ts'
import { ACTIONS, type PaletteAction } from '#web/app/palette/actions.ts'
import { byRank } from '#web/app/palette/palette-entries.ts'
import type { ScreenPath } from '#web/app/screens/screens.ts'
import type { Answer, Asker, ListQuestion, Opens, TextQuestion } from '#web/lib/action.ts'

/** A line of the palette that does something. */
export type ActionEntry = {
  readonly key: string
  readonly label: string
  readonly detail: string
  readonly screen: ScreenPath
  readonly action: PaletteAction
  /** None while something is missing. */
  readonly opens?: Opens
  /** What the question begins with. */
  readonly typed?: string
  /** Why this person cannot do it. */
  readonly reason?: string
}

export const textQuestion = ({ asks }: PaletteAction): TextQuestion | undefined =>
  'example' in asks ? asks : undefined
export const listQuestion = ({ asks }: PaletteAction): ListQuestion | undefined => ('query' in asks ? asks : undefined)

export const questionOf = (action: PaletteAction) => (textQuestion(action) ?? listQuestion(action))?.text

/** The screens in the menu of this person. */
type Screens = ReadonlySet<ScreenPath>
type Viewer = Asker & { readonly screens: Screens }

const offered = (screens: Screens) => ACTIONS.filter(({ screen }) => screens.has(screen))
const wordsOf = ({ verbs = '', words }: PaletteAction) => `${verbs} ${words}`

/** Actions that have words for everything that was typed. */
const actionsNamed = (typed: string, screens: Screens) =>
  byRank(offered(screens), typed, { nameOf: ({ label }) => label, restOf: wordsOf, worst: WORD_BEGINNINGS })

/**
 * The actions with words that begin with the typed ones, and those that take the typed text as their answer. Without a
 * text, only those that this person may use.
 */
export function actionEntries(typed: string, viewer: Viewer): ActionEntry[] {
  const answered = offered(viewer.screens)
    .filter((action) => textQuestion(action)?.isUnmistakable)
    .filter(({ right }) => can(viewer.actor, right, viewer.standing).allowed)
    .flatMap((action) => textAnswer(action, typed).entries)
  const named = actionsNamed(typed, viewer.screens)
    .map((action) => bareEntry(action, viewer))
    .filter(({ reason }) => reason === undefined || typed !== '')
  return [...answered, ...named]
}

/** The line of an action that nothing is known about yet; disabled for whoever may not do it. */
function bareEntry(action: PaletteAction, { actor, standing }: Asker): ActionEntry {
  const { label, screen, right, asks } = action
  const decision = can(actor, right, standing)
  const opens = 'text' in asks ? {} : { opens: asks }
  const entry = { key: `action ${label}`, label, detail: '', screen, action, ...opens }
  return decision.allowed ? entry : { ...entry, detail: decision.reason, reason: decision.reason }
}

const toEntries = (action: PaletteAction, answers: readonly Answer[]): ActionEntry[] =>
  answers.map((answer) => ({ ...answer, key: `answer ${answer.key}`, screen: action.screen, action }))

export function listAnswers(action: PaletteAction, loaded: unknown, typed: string, asker: Asker): ActionEntry[] {
  return toEntries(action, listQuestion(action)?.answers(loaded, typed, asker) ?? [])
}

/** The typed answer, once it is right, and what is wrong with it before. */
export function textAnswer(action: PaletteAction, typed: string): { entries: ActionEntry[]; error?: string } {
  const question = textQuestion(action)
  const answer = searchedText(typed)
  if (!question || answer === '') return { entries: [] }
  const error = question.error(answer)
  if (error !== undefined) return { entries: [], error }
  const { label, screen } = action
  const entry = { key: `answer ${label}`, label: `${label}: ${answer}`, detail: '', screen, action }
  return { entries: [{ ...entry, opens: question.opens(answer) }] }
}

/** An action with its answer, in one line: "rehost lic-01", "activate 5 Acoustics Response". */
export type Request = {
  readonly action: PaletteAction
  /** As it was typed. */
  readonly answer: string
  /** The answer without a number before it. */
  readonly name: string
  readonly seats: number | undefined
}

/** What a text can ask for: a verb, perhaps more words of the action, and an answer. */
export function requestsIn(typed: string, screens: Screens): Request[] {
  if (actionsNamed(typed, screens).length > 0) return []
  const [verb = '', ...rest] = typed.trim().split(/\s+/)
  return offered(screens).flatMap((action) => {
    if (!action.verbs?.split(' ').includes(verb.toLowerCase())) return []
    const known = `${action.label} ${wordsOf(action)}`.toLowerCase().split(' ')
    const start = rest.findIndex((word) => !known.includes(word.toLowerCase()))
    if (start < 0) return []
    const answer = rest.slice(start).join(' ')
    const [, seats, name = answer] = /^(\d{1,6}) (.+)$/.exec(answer) ?? []
    return [{ action, answer, name, seats: Number(seats) || undefined }]
  })
}

/** What the requests can be about; undefined while it is loading. */
export type Loaded = {
  readonly lists: ReadonlyMap<ListQuestion['query'], unknown>
  readonly products: readonly string[] | undefined
}

/** Low limit: each of them is a whole action. */
const MAX_OFFERED = 5

/** What can be done at once. Where no request has an answer that the account knows, the actions ask for it. */
export function requestEntries(requests: readonly Request[], loaded: Loaded, asker: Asker): ActionEntry[] {
  const found = requests.map((request) => {
    const entry = bareEntry(request.action, asker)
    const answers = entry.reason === undefined ? answersTo(request, loaded, asker)?.slice(0, MAX_OFFERED) : []
    return { request, entry, answers }
  })
  const answered = found.flatMap(({ answers = [] }) => answers)
  // An IP address could be a username as well, but nobody means that.
  const unmistakable = answered.filter(({ action }) => textQuestion(action)?.isUnmistakable)
  if (answered.length > 0) return unmistakable.length > 0 ? unmistakable : answered
  // What is still loading may be known in a moment.
  return found.flatMap(({ request, entry, answers }) =>
    answers ? [entry.reason === undefined ? { ...entry, ...missingIn(request) } : entry] : [],
  )
}

function answersTo({ action, answer, ...wanted }: Request, loaded: Loaded, asker: Asker): ActionEntry[] | undefined {
  const question = listQuestion(action)
  if (!question) return textAnswer(action, answer).entries
  const list = loaded.lists.get(question.query)
  if (!list || !loaded.products) return undefined
  const products = question.products?.(list, { ...wanted, found: loaded.products }, asker) ?? []
  const answers = [...question.answers(list, answer, asker), ...products]
  return toEntries(action, answers).map((entry) => ({
    ...entry,
    key: `${action.label} ${entry.key}`,
    label: `${action.label}: ${entry.label}`,
  }))
}

/** What the question begins with, and why it is asked. A list is shown as a whole, a text can be corrected. */
function missingIn({ action, answer }: Request): Pick<ActionEntry, 'detail' | 'typed'> {
  if (textQuestion(action)) return { detail: textAnswer(action, answer).error ?? '', typed: answer }
  return { detail: `Nothing matches "${answer}". Choose from a list.` }
}
