import { type AnyField, type Fields, fieldEntries } from '#web/form/fields.ts'

/** What the form holds while it is edited: the values, with a key on every row, and with the removed rows. */
export type Draft = Record<string, unknown>

/** A row's key stays the same while everything in it changes. A removed row stays in sight until the form is saved. */
export type DraftRow = { readonly rowKey: number; readonly isRemoved?: boolean }

let lastKey = 0

export function toDraftRow<Row>(row: Row, isRemoved = false): Row & DraftRow {
  lastKey += 1
  return { ...row, rowKey: lastKey, ...(isRemoved ? { isRemoved } : {}) }
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

/** A removed row is struck through; one that was never filled in goes at once. */
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

function toRow<Row extends DraftRow>({ rowKey, isRemoved, ...row }: Row) {
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
  return [...known, ...[...rest.values()].map((row) => toDraftRow(row))]
}
