import { formatScopes } from '#domain/tokens/token-areas.ts'
import { type TokenState, tokenState } from '#domain/tokens/token-rules.ts'
import { timeText } from '#web/lib/format.ts'
import { serverTime } from '#web/lib/server-time.ts'
import type { TokenRow } from '#web/modules/tokens/tokens.api.ts'
import type { Column } from '#web/table/columns/column.ts'
import { idColumn, textColumn, timeColumn, valuesColumn } from '#web/table/columns/column-kinds.ts'
import { FirstOf } from '#web/ui/first-of.tsx'
import { SignalDot } from '#web/ui/signal-dot.tsx'

export const stateOf = (row: TokenRow): TokenState =>
  tokenState(
    {
      expires: new Date(row.expires),
      revoked: row.revoked === null ? null : new Date(row.revoked),
      isReplaced: row.replacedBy !== null,
    },
    serverTime(),
  )

const SIGNALS = {
  Active: 'green',
  Replaced: 'orange',
  Expired: 'none',
  Revoked: 'none',
} as const

const lastUse = ({ lastUsed }: TokenRow) => (lastUsed === null ? 'Never' : timeText(lastUsed))

export const TOKEN_COLUMNS: readonly Column<TokenRow>[] = [
  textColumn('name', 'Name', 220, { flexible: { min: 180 }, phone: 'first line' }),
  {
    id: 'state',
    header: 'State',
    width: 104,
    isSortable: false,
    phone: 'second line',
    text: stateOf,
    cell: (row) => <SignalDot signal={SIGNALS[stateOf(row)]}>{stateOf(row)}</SignalDot>,
  },
  {
    id: 'scopes',
    header: 'Scopes',
    width: 200,
    isSortable: false,
    text: ({ scopes }) => formatScopes(scopes),
    cell: ({ scopes }) => <FirstOf items={formatScopes(scopes).split(', ')} />,
  },
  timeColumn('expires', 'Ends', 160, { phone: 'second line' }),
  timeColumn('lastUsed', 'Last used', 160, { text: lastUse }),
  {
    id: 'lastAddress',
    header: 'Used from',
    width: 140,
    isSortable: false,
    isHidden: true,
    text: ({ lastAddress }) => lastAddress ?? '',
  },
  valuesColumn('owner', 'Owner', 230, { isHidden: true }),
  {
    id: 'addresses',
    header: 'Addresses',
    width: 170,
    isSortable: false,
    isHidden: true,
    text: ({ addresses }) => addresses.join(', ') || 'All',
  },
  timeColumn('created', 'Created', 160, { isHidden: true }),
  // By which the audit log names the token.
  idColumn('id', 'Id', 144, { isHidden: true }),
]
