import { Group } from '@mantine/core'
import { IconUserMinus } from '@tabler/icons-react'
import { useMemo } from 'react'
import type { WebSeat } from '#contract/web-licenses/web-lists.ts'
import { useCan, useKnownCustomer } from '#web/lib/customer.tsx'
import { countText } from '#web/lib/format.ts'
import { useUnassign } from '#web/modules/web-licenses/assignments/use-unassign.ts'
import { useRowSelection } from '#web/modules/web-licenses/selected-keys.ts'
import { TableButton } from '#web/modules/web-licenses/table-button.tsx'
import { seatColumns } from '#web/modules/web-licenses/web-columns.tsx'
import { seatSource } from '#web/modules/web-licenses/web-licenses.api.ts'
import { DataTable } from '#web/table/data-table.tsx'
import { useTable } from '#web/table/use-table.ts'

const COLUMNS = { all: seatColumns('all'), entitlement: seatColumns('entitlement'), user: seatColumns('user') } as const
const PAGE_SIZES = [10, 25, 50, 100] as const

type Props = {
  /** Only users of this entitlement, in its panel. */
  activationId?: string
  /** Only entitlements of this user. */
  email?: string
}

/** Users with what they are assigned to. Those who are assigned by name can be unassigned here. */
export function SeatTable({ activationId, email }: Props) {
  const { number } = useKnownCustomer()
  const mayWrite = useCan('web-licenses.write')
  const source = useMemo(() => seatSource(number), [number])
  const selection = useRowSelection<WebSeat>()
  const unassign = useUnassign(selection.clear)
  const of = activationId !== undefined ? 'entitlement' : email !== undefined ? 'user' : 'all'
  const isPanel = of !== 'all'
  const table = useTable({
    ...(isPanel ? {} : { tableName: 'webSeats', urlPrefix: 'seat.' }),
    columns: COLUMNS[of],
    rowKey,
    source,
    demands: () => [
      ...(activationId === undefined ? [] : [{ name: 'activationId', method: 'EQUALS' as const, value: activationId }]),
      ...(email === undefined ? [] : [{ name: 'email', method: 'EQUALS' as const, value: email }]),
    ],
    ...(isPanel ? { pageSizes: PAGE_SIZES } : {}),
  })
  const count = selection.countOf(table)
  const button = (
    <TableButton
      icon={IconUserMinus}
      // A panel would move its rows.
      {...(isPanel
        ? { reason: count === 0 ? `Select ${of === 'user' ? 'entitlements' : 'users'} first.` : undefined }
        : { selected: count })}
      loading={unassign.isSaving}
      onClick={() =>
        selection.withKeys({ table, source, canSelect: isDirect }, (keys) =>
          unassign.users(keys, table.list.rows ?? []),
        )
      }
    >
      {count > 0 ? `Unassign ${countText(count)}` : 'Unassign'}
    </TableButton>
  )
  const label =
    activationId === undefined && email === undefined ? 'Assigned users' : `Assigned users of ${activationId ?? email}`
  return (
    <>
      {isPanel && <Group mb="xs">{button}</Group>}
      <DataTable
        table={table}
        {...(isPanel ? { isPlain: true } : { title: 'Assigned users', actions: button })}
        label={label}
        what="assigned users"
        isTwoLine={of !== 'entitlement'}
        rowName={seatName}
        {...(mayWrite ? { selection: selection.state, canSelect: isDirect } : {})}
        noRows={email === undefined ? 'Nobody is assigned yet.' : 'Nothing is assigned to this user.'}
      />
    </>
  )
}

const rowKey = (row: WebSeat) => `${row.activationId} ${row.email}`
const seatName = (row: WebSeat) => `${row.name || row.email}, ${row.product}`
/** A user who is assigned only through a group is unassigned with the group. */
const isDirect = (row: WebSeat) => row.isDirect
