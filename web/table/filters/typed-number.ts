import type { NumberComparison, NumberFilter } from '#web/table/filters/column-filter.ts'

const COMPARISONS: Readonly<Record<string, NumberComparison>> = {
  '': 'equals',
  '=': 'equals',
  '<': 'lessThan',
  '<=': 'lessThanOrEqual',
  '≤': 'lessThanOrEqual',
  '>': 'greaterThan',
  '>=': 'greaterThanOrEqual',
  '≥': 'greaterThanOrEqual',
}
const SIGNS: Readonly<Record<NumberComparison, string>> = {
  equals: '',
  lessThan: '< ',
  lessThanOrEqual: '≤ ',
  greaterThan: '> ',
  greaterThanOrEqual: '≥ ',
}

const RANGE = /^(.*[\d%])\s*(?:–|-|\bto\b)\s*(-?[\d.,]+\s*%?)$/
const COMPARED = /^([<>]=?|[≤≥=])?\s*(.*)$/

/** Reads `30`, `< 30`, `≤ 30`, `<= 30` and `10 – 30`. A percent sign is accepted. Anything else is undefined. */
export function readTypedNumber(text: string): NumberFilter | undefined {
  const [, low, high] = RANGE.exec(text.trim()) ?? []
  if (low !== undefined && high !== undefined) {
    const [filter, filterTo] = [numberIn(low), numberIn(high)]
    if (filter === undefined || filterTo === undefined || filter > filterTo) return undefined
    return { filterType: 'number', type: 'inRange', filter, filterTo }
  }
  const [, sign = '', rest = ''] = COMPARED.exec(text.trim()) ?? []
  const type = COMPARISONS[sign]
  const filter = numberIn(rest)
  return type === undefined || filter === undefined ? undefined : { filterType: 'number', type, filter }
}

export function formatNumberFilter(filter: NumberFilter): string {
  return filter.type === 'inRange' ? `${filter.filter} – ${filter.filterTo}` : `${SIGNS[filter.type]}${filter.filter}`
}

function numberIn(text: string): number | undefined {
  return readShownNumber(text.trim().replace(/\s*%$/, ''))
}

const NUMBER = /^-?(?:\d+|\d{1,3}(?:,\d{3})+)(?:\.\d+)?$/

/** A number as it is shown. A comma only separates thousands, so 0,19 is not a number. */
export function readShownNumber(text: string): number | undefined {
  const trimmed = text.trim()
  return NUMBER.test(trimmed) ? Number(trimmed.replaceAll(',', '')) : undefined
}
