import { checkLine, type LineError, type OrderTerms } from '#domain/fsa/check-line.ts'
import { countOf, type OrderLine } from '#domain/fsa/order-line.ts'
import { DUPLICATE_LINE, type EditedField, insufficientBalance } from '#domain/fsa/order-texts.ts'
import { add, compare, subtract, toFixedText } from '#domain/money/decimal.ts'

/** The line that a person is editing: it gets the error when the order becomes too expensive. */
export type Edit = { readonly index: number; readonly field: EditedField }

export type OrderDecision = {
  /** In the order of the lines; undefined for a line that can be ordered. */
  readonly errors: readonly (LineError | undefined)[]
  /** What the lines without errors cost together, with two decimals. */
  readonly totalCost: string
  /** What is left of the balance after them. */
  readonly balanceAfter: string
}

/**
 * Decides an order against a balance: in the browser while it is edited, on the server when it arrives. A line with an
 * error costs nothing, so that the lines after it are judged by what is really left.
 */
export function decideOrder(
  lines: readonly OrderLine[],
  terms: OrderTerms & { readonly available: string },
  edit?: Edit,
): OrderDecision {
  const errors = lines.map((line) => checkLine(line, terms))
  for (const index of laterDuplicates(lines)) errors[index] ??= { code: 'DUPLICATE_LINE', message: DUPLICATE_LINE }
  let totalCost = '0'
  for (const index of inOrderOfDecision(lines.length, edit)) {
    if (errors[index]) continue
    const total = add(totalCost, lines[index]?.cost ?? 0)
    if (compare(total, terms.available) <= 0) totalCost = total
    else {
      const field = edit?.index === index ? edit.field : 'product'
      errors[index] = { code: 'INSUFFICIENT_BALANCE', message: insufficientBalance(field) }
    }
  }
  return {
    errors,
    totalCost: toFixedText(totalCost, 2),
    balanceAfter: toFixedText(subtract(terms.available, totalCost), 2),
  }
}

/** Lines from first to last, with the edited one after all others. */
function inOrderOfDecision(count: number, edit: Edit | undefined): number[] {
  const all = Array.from({ length: count }, (_, index) => index)
  if (!edit) return all
  return [...all.filter((index) => index !== edit.index), ...all.filter((index) => index === edit.index)]
}

function laterDuplicates(lines: readonly OrderLine[]): number[] {
  const seen = new Set<string>()
  return lines.flatMap((line, index) => {
    if (line.partNumber === null) return []
    const { partNumber, productName, duration, startDate, endDate, isManual } = line
    const attributes = JSON.stringify([
      partNumber,
      isManual ? productName : '',
      countOf(line),
      startDate,
      duration,
      endDate,
    ])
    if (seen.has(attributes)) return [index]
    seen.add(attributes)
    return []
  })
}
