/** One field of a form, for the conflict panel and the dirty check. */
export type PlainField<Value> = {
  /** The label of the field on the screen. */
  readonly label: string
  /** The value as text. Values with the same text are equal. */
  text?(value: Value): string
}

export type ListField<Item> = PlainField<readonly Item[]> & {
  /** Rows can be added and removed. A new row starts with this value. */
  readonly newRow?: Item
  /** Compares and merges the list row by row instead of as a whole. */
  readonly byRow?: RowIdentity<Item>
}

export type RowIdentity<Item> = {
  /** Rows with the same key are the same row in both versions. */
  keyOf(row: Item): string
  text(row: Item): string
  /** Shown for a row that one of the versions does not have: "Not a contact". */
  readonly absent: string
}

export type Fields<Values> = {
  readonly [Name in keyof Values]: [Values[Name]] extends [readonly (infer Item)[]]
    ? ListField<Item>
    : PlainField<Values[Name]>
}

/** Any field, for code that iterates over all of them. */
export type AnyField = ListField<unknown>

export function fieldEntries<Values>(fields: Fields<Values>): [name: keyof Values & string, field: AnyField][] {
  return Object.entries(fields) as unknown as [keyof Values & string, AnyField][]
}

/** Error texts by path: `date`, or `links.0.url` for a field of a row. */
export type Errors = Readonly<Record<string, string | undefined>>
