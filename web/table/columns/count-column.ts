import { countText } from '#web/lib/format.ts'
import type { Column } from '#web/table/columns/column.ts'

type Counted<Key extends string> = { readonly [K in Key]: number | null }

/** A column of whole numbers that are filtered as such. */
export function countColumn<Key extends string>(
  id: Key,
  header: string,
  width: number,
  more: Pick<Column<never>, 'phone' | 'isHidden'> = {},
): Column<Counted<Key>> {
  return {
    id,
    header,
    width,
    kind: 'number',
    filter: 'number',
    ...more,
    text: ({ [id]: count }) => (count === null ? '' : countText(count)),
  }
}
