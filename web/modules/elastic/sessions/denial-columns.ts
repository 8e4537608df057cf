import { DENIAL_COLUMNS, type Denial } from '#contract/elastic/sessions/denial-list.ts'
import { countText, timeText } from '#web/lib/format.ts'
import { type Column, VALUES } from '#web/table/columns/column.ts'

type Look = Omit<Column<Denial>, 'id' | 'header'>

const LOOKS: Record<(typeof DENIAL_COLUMNS)[number][0], Look> = {
  Time: {
    width: 172,
    kind: 'date',
    filter: 'time',
    isSticky: true,
    phone: 'second line',
    text: (row) => timeText(row.Time),
  },
  ReasonText: { width: 190, filter: VALUES, phone: 'first line', text: (row) => row.ReasonText },
  Product: { width: 200, flexible: { min: 180, max: 360 }, filter: VALUES, text: (row) => row.Product },
  ProductCount: { width: 84, kind: 'number', filter: 'number', text: (row) => countText(row.ProductCount) },
  User: { width: 150, filter: VALUES, phone: 'second line', text: (row) => row.User },
  Host: { width: 150, filter: VALUES, text: (row) => row.Host },
  Project: { width: 150, filter: VALUES, text: (row) => row.Project ?? '' },
  REFERER_IP_ADDRESS: { width: 150, filter: VALUES, text: (row) => row.REFERER_IP_ADDRESS },
  productVersion: { width: 110, filter: VALUES, text: (row) => row.productVersion },
  ServerID: { width: 220, kind: 'id', filter: VALUES, isHidden: true, text: (row) => row.ServerID },
}

export const COLUMNS: readonly Column<Denial>[] = DENIAL_COLUMNS.map(([id, header]) => ({ id, header, ...LOOKS[id] }))
