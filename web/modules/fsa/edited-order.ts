import type { Draft } from '#contract/fsa/drafts.ts'
import type { OrderLine } from '#domain/fsa/order-line.ts'
import type { EditedField } from '#domain/fsa/order-texts.ts'
import {
  type EditedLine,
  isBlank,
  type LastEdit,
  type LineResult,
  refusedLines,
  wireLines,
} from '#web/modules/fsa/edited-lines.ts'

/** What the server says about a draft that somebody else has changed. */
export type CurrentDraft = Pick<Draft, 'id' | 'revision' | 'name' | 'savedBy' | 'products'>

/** The draft that the lines come from. */
export type OpenDraft = Omit<CurrentDraft, 'products'> & {
  /** Unknown for a version that was met on saving. */
  readonly savedAt?: string
  /** Somebody else has ordered or deleted the draft. The lines on screen can only become a new draft. */
  readonly isGone?: boolean
}

/** An order while it is edited: lines of one contract, and the draft that they come from. */
export type EditedOrder = {
  readonly fsaId: string | undefined
  readonly lines: readonly EditedLine[]
  /** No key is used twice, so that a new line never shows what was typed in an old one. */
  readonly lastKey: number
  readonly edit: LastEdit | undefined
  readonly draft: OpenDraft | undefined
  /** What the draft holds, to tell whether the lines differ from it. */
  readonly saved: string
  /** What somebody else has saved in the draft since it was opened. */
  readonly theirs: CurrentDraft | undefined
  /** The balance of an order whose answer was lost. The order may have been booked. */
  readonly unanswered: string | undefined
}

export type NewLine = Omit<EditedLine, 'key'>
type Change = (now: EditedOrder) => EditedOrder

const NOTHING = JSON.stringify([])

export const NO_ORDER: EditedOrder = {
  fsaId: undefined,
  lines: [],
  lastKey: 0,
  edit: undefined,
  draft: undefined,
  saved: NOTHING,
  theirs: undefined,
  unanswered: undefined,
}

export const hasContent = (lines: readonly EditedLine[]): boolean => lines.some(({ line }) => !isBlank(line))

/** Takes the lines at current prices, because a new price is a difference too. */
export const isUnsaved = (lines: readonly EditedLine[], { saved }: EditedOrder): boolean =>
  hasContent(lines) && contentOf(lines) !== saved

export function showLines(fsaId: string | undefined, shown: readonly NewLine[], draft?: OpenDraft): Change {
  return ({ lastKey }) => {
    const lines = shown.map((line, index) => ({ key: lastKey + 1 + index, ...line }))
    const saved = draft ? contentOf(lines) : NOTHING
    return { ...NO_ORDER, fsaId, lines, lastKey: lastKey + lines.length, draft, saved }
  }
}

export const addLine =
  (line: OrderLine): Change =>
  (now) => ({ ...withLines(now, [...now.lines, { key: now.lastKey + 1, line }]), lastKey: now.lastKey + 1 })

export const changeLine =
  (key: number, line: OrderLine, field: EditedField): Change =>
  (now) => ({
    ...withLines(
      now,
      now.lines.map((one) => (one.key === key ? { key, line } : one)),
    ),
    edit: { key, field },
  })

export const removeLine =
  (key: number): Change =>
  (now) =>
    withLines(
      now,
      now.lines.filter((one) => one.key !== key),
    )

export const refuseLines =
  (results: readonly LineResult[]): Change =>
  (now) => ({ ...now, lines: refusedLines(now.lines, results) })

/** What was refused is the next revision of the draft. */
export const orderPartly =
  (results: readonly LineResult[]): Change =>
  (now) => ({
    ...refuseLines(results)(now),
    draft: now.draft && { ...now.draft, revision: now.draft.revision + 1 },
  })

export const saveDraft =
  (draft: Draft, lines: readonly EditedLine[]): Change =>
  (now) => ({ ...now, draft, saved: contentOf(lines), theirs: undefined })

export const loseDraft: Change = (now) => ({ ...now, draft: now.draft && { ...now.draft, isGone: true } })

/** The lines stay: they may be needed after all. */
export const deleteDraft =
  (id: string): Change =>
  (now) =>
    now.draft?.id === id ? { ...now, draft: undefined, saved: NOTHING } : now

export const meetTheirs =
  (theirs: unknown): Change =>
  (now) => ({ ...now, theirs: theirs as CurrentDraft })

/** The next save or order takes the place of what they saved. */
export const keepMine: Change = (now) => ({ ...now, draft: now.theirs, saved: NOTHING, theirs: undefined })

function withLines(now: EditedOrder, lines: readonly EditedLine[]): EditedOrder {
  return { ...now, lines, unanswered: undefined }
}

const contentOf = (lines: readonly EditedLine[]) => JSON.stringify(wireLines(lines))
