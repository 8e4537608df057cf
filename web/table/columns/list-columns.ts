import type { ListFields } from '#contract/kit/list.ts'
import { amountText, countText, timeText } from '#web/lib/format.ts'
import { type Column, VALUES } from '#web/table/columns/column.ts'

/** What a column has in addition to what follows from its field, or instead. */
type Look<Row> = Partial<Omit<Column<Row>, 'id'>>
type Declared<Field extends string> = readonly (readonly [field: Field, header: string, places?: number])[]

const TEXT = { width: 150, filter: VALUES } as const
const NUMBER = { width: 92, kind: 'number', filter: 'number' } as const
const INSTANT = { width: 155, kind: 'time', filter: 'time' } as const

/** The columns that the contract names for a list: width, kind, filter and text follow from the type of the field. */
export function listColumns<Row extends Readonly<Record<Field, unknown>>, Field extends string>(
  { fields }: { readonly fields: ListFields },
  columns: Declared<Field>,
  looks: Readonly<Partial<Record<Field, Look<Row>>>>,
): readonly Column<Row>[] {
  return columns.map(([id, header, places]) => {
    const type = fields[id]?.type
    const look = type === 'instant' ? INSTANT : type === 'number' ? NUMBER : TEXT
    const text = type === 'instant' ? timeText : type === 'number' ? (places ? amountText : countText) : textOf
    return { id, header, ...look, text: (row: Row) => (text as (value: unknown) => string)(row[id]), ...looks[id] }
  })
}

const textOf = (value: string | null | undefined) => value ?? ''
