/** One field of a form, as the conflict panel and the dirty check see it. */
export type PlainField<Value> = {
  /** The label of the field on the screen. */
  readonly label: string
  /** The value as a person reads it. Values with the same text are the same. */
  text?(value: Value): string
}

export type ListField<Item> = PlainField<readonly Item[]> & {
  /** Makes it a list of rows that can be added and removed; this is what a new row starts with. */
  readonly newRow?: Item
  /** Compares and merges the list row by row instead of as a whole. */
  readonly byRow?: RowIdentity<Item>
}

export type RowIdentity<Item> = {
  /** Rows with the same key are the same row in both versions. */
  keyOf(row: Item): string
  text(row: Item): string
  /** Stands for a row that one of the versions does not have: "Not a contact". */
  readonly absent: string
}

export type Fields<Values> = {
  readonly [Name in keyof Values]: [Values[Name]] extends [readonly (infer Item)[]]
    ? ListField<Item>
    : PlainField<Values[Name]>
}

/** Any field, for code that walks over all of them. */
export type AnyField = ListField<unknown>

export function fieldEntries<Values>(fields: Fields<Values>): [name: keyof Values & string, field: AnyField][] {
  return Object.entries(fields) as unknown as [keyof Values & string, AnyField][]
}
