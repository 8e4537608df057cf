/** Pixels between the line of a mark and its text. */
const GAP = 6

/** A mark at `x` of a picture, with a text of some width beside it. */
export type MarkPlace = { readonly x: number; readonly textWidth: number }

/** A text is left of its line where there is no room on the right. */
export const isLeftOfLine = ({ x, textWidth }: MarkPlace, width: number): boolean => x + textWidth + GAP > width

export const textStart = (mark: MarkPlace, width: number): number => mark.x + (isLeftOfLine(mark, width) ? -GAP : GAP)

/** Whether every text is inside of the picture and clear of the lines and texts of the other marks. */
export function haveNotesRoom(marks: readonly MarkPlace[], width: number): boolean {
  const taken = marks.map((mark) => {
    const start = isLeftOfLine(mark, width) ? mark.x - GAP - mark.textWidth : mark.x
    return { from: start, to: start + GAP + mark.textWidth }
  })
  const ordered = taken.toSorted((one, other) => one.from - other.from)
  return ordered.every(({ from }, index) => from >= Math.max(0, ordered[index - 1]?.to ?? 0))
}
