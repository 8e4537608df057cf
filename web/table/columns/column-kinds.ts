import { amountText, countText, timeText } from '#web/lib/format.ts'
import { type Column, VALUES } from '#web/table/columns/column.ts'

type Having<Key extends string, Value> = { readonly [K in Key]?: Value | null | undefined }
type More<Row> = Omit<Partial<Column<Row>>, 'id' | 'header' | 'width'>

/** Makes columns that show the field of their id. `more` is what one of them has in addition, or instead. */
function columnKind<Value>(look: More<unknown>, textOf: (value: Value | null | undefined) => string) {
  return <Key extends string, Row extends Having<Key, Value>>(
    id: Key,
    header: string,
    width: number,
    more?: More<Row>,
  ): Column<Row> => ({ id, header, width, ...look, text: (row) => textOf(row[id]), ...more })
}

const asItIs = (text: string | null | undefined) => text ?? ''

export const textColumn = columnKind<string>({ filter: 'text' }, asItIs)
/** The values that occur can be ticked in a list. */
export const valuesColumn = columnKind<string>({ filter: VALUES }, asItIs)
export const idColumn = columnKind<string>({ kind: 'id', filter: 'text' }, asItIs)
export const dayColumn = columnKind<string>({ kind: 'date', filter: 'day' }, asItIs)
export const timeColumn = columnKind<string>({ kind: 'time', filter: 'time' }, timeText)
export const countColumn = columnKind<number>({ kind: 'number', filter: 'number' }, countText)
export const amountColumn = columnKind<number>({ kind: 'number', filter: 'number' }, amountText)

/** For tables in dialogs and panels. */
export function withoutFilters<Row>(columns: readonly Column<Row>[]): readonly Column<Row>[] {
  return columns.map(({ filter: _, ...column }) => column)
}
