import type { useForm as useMantineForm } from '@mantine/form'
import { type DraftRow, keptRows, toAddedRow, withoutRow } from '#web/form/draft.ts'
import type { Errors } from '#web/form/fields.ts'

/** Props of any Mantine input. */
export type InputProps = ReturnType<ReturnType<typeof useMantineForm>['getInputProps']> & { disabled: boolean }

export type Row<Values> = {
  readonly key: number
  readonly value: Values
  readonly index: number
  readonly isRemoved: boolean
  /** Whether it was added since the form was loaded or saved. */
  readonly isAdded: boolean
  /** Props for the input of this field of the row. */
  field(name: keyof Values & string): InputProps
  remove(): void
  /** Takes the removal back. */
  keep(): void
  /** Puts the first of these values into this row, and the others into new rows after it. */
  replace(values: readonly Values[]): void
}

/** A list of rows of a form, for `<FormRows>`. */
export type Rows<Values> = {
  readonly rows: readonly Row<Values>[]
  /** Rows that are not removed. */
  readonly count: number
  /** Why no further row can be added: what is wrong with one that is there. */
  readonly obstacle: string | undefined
  /** A refusal by the server that is about the list as a whole. */
  readonly error: string | undefined
  readonly isLocked: boolean
  readonly readOnly: string | undefined
  add(rows?: readonly Values[]): void
}

export type RowOf<List> = List extends readonly (infer Item)[] ? Item & object : never

type Options<Item> = Pick<Rows<Item>, 'error' | 'isLocked' | 'readOnly'> & {
  name: string
  /** Those that are removed, too. */
  rows: readonly (Item & DraftRow)[]
  newRow: Item
  /** Of the whole form. */
  errors: Errors
  inputProps(path: string, id: string, error: string | undefined): InputProps
  setRows(rows: readonly unknown[]): void
}

/** The rows of one field of a form: what each shows, and what can be done with it. */
export function rowsOf<Item extends object>(options: Options<Item>): Rows<Item> {
  const { name, rows, newRow, errors, error, isLocked, readOnly, inputProps, setRows } = options
  const kept = keptRows(rows)
  return {
    count: kept.length,
    obstacle: readOnly ?? Object.entries(errors).find(([path, error]) => error && path.startsWith(`${name}.`))?.[1],
    error,
    isLocked,
    readOnly,
    add: (added = [newRow]) => setRows([...rows, ...added.map(toAddedRow)]),
    rows: rows.map((row, index) => ({
      key: row.rowKey,
      value: row,
      index,
      isRemoved: row.isRemoved === true,
      isAdded: row.isAdded === true,
      field: (column) =>
        inputProps(
          `${name}.${index}.${column}`,
          `${name}#${row.rowKey}.${column}`,
          errors[`${name}.${kept.indexOf(row)}.${column}`],
        ),
      remove: () => setRows(withoutRow(rows, row.rowKey, newRow)),
      keep: () => setRows(rows.with(index, { ...row, isRemoved: false })),
      replace: ([first, ...more]) => {
        const replaced = first ? [{ ...row, ...first }, ...more.map(toAddedRow)] : [row]
        setRows(rows.toSpliced(index, 1, ...replaced))
      },
    })),
  }
}
