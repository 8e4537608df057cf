import { type AnyField, type Fields, fieldEntries } from '#web/form/fields.ts'

/** The values while they are edited. Every row has a key, and removed rows are still there. */
export type Draft = Record<string, unknown>

/** The key of a row never changes. A removed row stays visible until the form is saved. */
export type DraftRow = { readonly rowKey: number; readonly isRemoved?: boolean; readonly isAdded?: boolean }

let lastKey = 0

export function toDraftRow<Row>(row: Row, isRemoved = false): Row & DraftRow {
  lastKey += 1
  return { ...row, rowKey: lastKey, ...(isRemoved ? { isRemoved } : {}) }
}

export function toAddedRow<Row>(row: Row): Row & DraftRow {
  return { ...toDraftRow(row), isAdded: true }
}

/** Rows of `saved` that the values no longer have are shown as removed. */
export function toDraft<Values>(fields: Fields<Values>, values: Values, saved: Values = values): Draft {
  return Object.fromEntries(
    fieldEntries(fields).map(([name, field]) => [
      name,
      field.newRow === undefined
        ? values[name]
        : toDraftRows(field, values[name] as unknown[], saved[name] as unknown[]),
    ]),
  )
}

export function toValues<Values>(fields: Fields<Values>, draft: Draft): Values {
  return Object.fromEntries(
    fieldEntries(fields).map(([name, { newRow }]) => [
      name,
      newRow === undefined ? draft[name] : keptRows(draft[name] as DraftRow[]).map(toRow),
    ]),
  ) as Values
}

/** A removed row is struck through. An empty new row disappears at once. */
export function withoutRow<Row extends object>(
  rows: readonly (Row & DraftRow)[],
  key: number,
  newRow: Row,
): (Row & DraftRow)[] {
  return rows.flatMap((row) => {
    if (row.rowKey !== key) return row
    return JSON.stringify(toRow(row)) === JSON.stringify(newRow) ? [] : { ...row, isRemoved: true }
  })
}

export function keptRows<Row extends DraftRow>(rows: readonly Row[]): Row[] {
  return rows.filter((row) => !row.isRemoved)
}

/** A removed row counts as a change, also if it was never saved. */
export function hasRemovedRows(draft: Draft): boolean {
  return Object.values(draft).some((value) => Array.isArray(value) && value.some((row) => row?.isRemoved === true))
}

function toRow<Row extends DraftRow>({ rowKey, isRemoved, isAdded, ...row }: Row) {
  return row
}

function toDraftRows({ byRow }: AnyField, rows: readonly unknown[], saved: readonly unknown[]): unknown[] {
  if (!byRow) return rows.map((row) => toDraftRow(row))
  const rest = new Map(rows.map((row) => [byRow.keyOf(row), row]))
  const known = saved.map((row) => {
    const key = byRow.keyOf(row)
    const kept = rest.get(key)
    rest.delete(key)
    return kept === undefined ? toDraftRow(row, true) : toDraftRow(kept)
  })
  return [...known, ...[...rest.values()].map(toAddedRow)]
}
