import { useMemo } from 'react'
import { type LicenseLog, licenseLogList } from '#contract/license-use/logs.ts'
import { useKnownCustomer } from '#web/lib/customer.tsx'
import { LICENSE_USE_KEY } from '#web/modules/license-use/license-use.api.ts'
import { HostLink } from '#web/parts/host-link.tsx'
import type { Column } from '#web/table/columns/column.ts'
import { countColumn, textColumn, valuesColumn } from '#web/table/columns/column-kinds.ts'
import { DataTable } from '#web/table/data-table.tsx'
import { sourceOf } from '#web/table/list/declared-list.ts'
import { useTable } from '#web/table/use-table.ts'

const COLUMNS: readonly Column<LicenseLog>[] = [
  textColumn('name', 'Log', 220, { flexible: { min: 140 }, phone: 'first line' }),
  valuesColumn('serverName', 'License Server', 136, {
    phone: 'second line',
    text: (row) => row.serverName.replaceAll(',', ', '),
    cell: (row) => <HostLink host={row} />,
  }),
  textColumn('firstAt', 'First Line', 148),
  textColumn('lastAt', 'Last Line', 148, { phone: 'second line' }),
  countColumn('lines', 'Lines', 80),
  countColumn('unreadLines', 'Lines Not Read', 90, { phone: 'second line' }),
  textColumn('unread', 'Not Read or Doubtful', 180),
  textColumn('serverId', 'Server ID', 140, { isHidden: true }),
]

/** The debug logs of all license servers, or of one of them. */
export function Logs({ serverId }: { serverId: string | undefined }) {
  const { number: customerNumber } = useKnownCustomer()
  const source = useMemo(
    () =>
      sourceOf(licenseLogList, { customerNumber }, { key: [LICENSE_USE_KEY, 'logs', customerNumber, serverId ?? ''] }),
    [customerNumber, serverId],
  )
  const table = useTable({
    tableName: 'licenseLogs',
    columns: COLUMNS,
    urlPrefix: 'log.',
    rowKey: ({ id }: LicenseLog) => id,
    source,
    demands: () => (serverId === undefined ? [] : [{ name: 'serverId', method: 'EQUALS', value: serverId } as const]),
  })
  return (
    <DataTable
      table={table}
      title="Logs"
      what="logs"
      rowName={({ name }) => name}
      noRows="No debug log was reported."
    />
  )
}
