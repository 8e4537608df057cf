import { type AnyField, type Fields, fieldEntries, type RowIdentity } from '#web/form/fields.ts'

export type Side = 'theirs' | 'yours'

/** A difference between what somebody else has saved and what this person wants to save. */
export type Difference = {
  /** The name of the field, or of the field and the row. */
  readonly id: string
  readonly label: string
  readonly theirs: string
  readonly yours: string
  /** The side that changed it. If both did: yours, unless they removed it. */
  readonly suggested: Side
}

type Versions<Values> = { readonly original: Values; readonly theirs: Values; readonly yours: Values }
type Part = { readonly label: string; readonly text: string; readonly isAbsent?: boolean }

export function differencesBetween<Values>(
  fields: Fields<Values>,
  { original, theirs, yours }: Versions<Values>,
): Difference[] {
  return fieldEntries(fields).flatMap(([name, field]) => {
    const before = partsOf(name, field, original[name])
    const they = partsOf(name, field, theirs[name])
    const you = partsOf(name, field, yours[name])
    const absent: Part = { label: '', text: field.byRow?.absent ?? '', isAbsent: true }
    return [...new Set([...they.keys(), ...you.keys()])].sort().flatMap((id): Difference[] => {
      const [was, their, your] = [before.get(id) ?? absent, they.get(id) ?? absent, you.get(id) ?? absent]
      if (their.text === your.text) return []
      const isTheirsAlone = your.text === was.text || (their.isAbsent === true && !was.isAbsent)
      return [
        {
          id,
          label: their.label || your.label,
          theirs: their.text,
          yours: your.text,
          suggested: isTheirsAlone ? 'theirs' : 'yours',
        },
      ]
    })
  })
}

/** Takes each difference from the chosen side, also for rows that only one side has. */
export function mergeVersions<Values extends object>(
  fields: Fields<Values>,
  { theirs, yours }: Pick<Versions<Values>, 'theirs' | 'yours'>,
  choose: (id: string) => Side,
): Values {
  const merged = fieldEntries(fields).map(([name, { byRow }]) => {
    if (!byRow) return [name, choose(name) === 'yours' ? yours[name] : theirs[name]]
    const their = rowsByKey(name, byRow, theirs[name] as unknown[])
    const your = rowsByKey(name, byRow, yours[name] as unknown[])
    const ids = [...new Set([...their.keys(), ...your.keys()])]
    return [
      name,
      ids.flatMap((id) => {
        const rows = choose(id) === 'yours' ? your : their
        return rows.has(id) ? [rows.get(id)] : []
      }),
    ]
  })
  return Object.fromEntries(merged) as Values
}

/** Takes each difference from the side that changed it. */
export function mergeSuggested<Values extends object>(fields: Fields<Values>, versions: Versions<Values>): Values {
  const suggested = new Map(differencesBetween(fields, versions).map((one) => [one.id, one.suggested]))
  return mergeVersions(fields, versions, (id) => suggested.get(id) ?? 'theirs')
}

export function isSame<Values>(fields: Fields<Values>, one: Values, other: Values): boolean {
  return differencesBetween(fields, { original: other, theirs: other, yours: one }).length === 0
}

function partsOf(name: string, field: AnyField, value: unknown): ReadonlyMap<string, Part> {
  const { byRow, label, text = String } = field
  if (!byRow) return new Map([[name, { label, text: text(value as never) }]])
  const rows = [...rowsByKey(name, byRow, value as unknown[])]
  return new Map(rows.map(([id, row]) => [id, { label: byRow.keyOf(row), text: byRow.text(row) }]))
}

/** A key that occurs twice is an error in the form, but still a difference from once. */
function rowsByKey(name: string, { keyOf }: RowIdentity<unknown>, rows: readonly unknown[]): Map<string, unknown> {
  const byKey = new Map<string, unknown>()
  for (const row of rows) {
    let id = `${name}/${keyOf(row)}`
    while (byKey.has(id)) id += ' again'
    byKey.set(id, row)
  }
  return byKey
}
