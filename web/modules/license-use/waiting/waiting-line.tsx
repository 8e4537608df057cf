import { Button } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { useMemo } from 'react'
import { WAITING_COLUMNS, type WaitingRow, waitingList } from '#contract/license-use/waiting/waiting.ts'
import { PRIORITIES, type Priority, WAITING_LABELS } from '#domain/license-use/waiting/waiting-line.ts'
import { fetchFile } from '#web/lib/api/api-client.ts'
import { useKnownCustomer } from '#web/lib/customer.tsx'
import { LEAVE, PLACE_ACTIONS } from '#web/modules/license-use/waiting/waiting-actions.ts'
import { HostLink } from '#web/parts/host-link.tsx'
import { WAITING_KEY } from '#web/parts/waiting/seat-notices.ts'
import { WAIT_FOR_SEAT } from '#web/parts/waiting/wait-for-seat.tsx'
import { listColumns } from '#web/table/columns/list-columns.ts'
import { DataTable } from '#web/table/data-table.tsx'
import { LazyMenu } from '#web/table/lazy-menu.tsx'
import { sourceOf } from '#web/table/list/declared-list.ts'
import { useTable } from '#web/table/use-table.ts'
import { ActionButton } from '#web/ui/actions/action-button.tsx'
import { MenuAction } from '#web/ui/actions/row-action.tsx'
import { useActions } from '#web/ui/actions/use-actions.tsx'
import { TableCsv } from '#web/ui/csv-export.tsx'
import { SignalDot } from '#web/ui/signal-dot.tsx'
import classes from './waiting-line.module.css'

const PRIORITY_TEXTS: Readonly<Record<Priority, string>> = { high: 'High', normal: 'Normal', low: 'Low' }
const ANY = 'Any'

const COLUMNS = listColumns<WaitingRow, (typeof WAITING_COLUMNS)[number][0]>(waitingList, WAITING_COLUMNS, {
  feature: { width: 150, flexible: { min: 130 }, phone: 'first line' },
  place: { width: 76, phone: 'second line' },
  user: {
    width: 150,
    phone: 'second line',
    text: ({ user, isOwn }) => (isOwn ? `${user} (you)` : user),
    cell: ({ user, isOwn }) => (isOwn ? <strong>{user} (you)</strong> : user),
  },
  stateText: {
    width: 120,
    filter: { kind: 'text', hasValues: [WAITING_LABELS.waiting, WAITING_LABELS.offered] },
    phone: 'second line',
    cell: ({ state, stateText }) => <SignalDot signal={state === 'offered' ? 'green' : 'none'}>{stateText}</SignalDot>,
  },
  seats: { width: 76 },
  serverName: {
    width: 150,
    text: ({ serverName }) => serverName?.replaceAll(',', ', ') ?? ANY,
    cell: ({ serverId, serverName }) =>
      serverId === null ? ANY : <HostLink host={{ serverId, serverName: serverName ?? serverId }} />,
  },
  until: { width: 185, isHidden: true },
  // Home says it to the person who has the offer.
  offerEndsAt: { width: 185, isHidden: true },
  joinedAt: { isHidden: true },
  priority: {
    width: 100,
    isHidden: true,
    text: ({ priority }) => PRIORITY_TEXTS[priority],
    filter: {
      kind: 'text',
      hasValues: PRIORITIES,
      valueText: (priority) => PRIORITY_TEXTS[priority as Priority] ?? priority,
    },
  },
  offerServerName: {
    width: 150,
    isHidden: true,
    text: ({ offerServerName }) => offerServerName?.replaceAll(',', ', ') ?? '',
  },
  serverId: { width: 140, kind: 'id', filter: 'text', isHidden: true },
})

/** Who waits for seats, and in which order. Everybody sees their place. */
export function WaitingLine({ feature, serverId }: { feature: string | undefined; serverId: string | undefined }) {
  const { number } = useKnownCustomer()
  const { run, dialog } = useActions()
  const source = useMemo(
    () => sourceOf(waitingList, { customerNumber: number }, { key: [WAITING_KEY, number, feature ?? ''] }),
    [number, feature],
  )
  const table = useTable({
    tableName: 'licenseWaiting',
    columns: COLUMNS,
    urlPrefix: 'waiting.',
    rowKey: ({ id }: WaitingRow) => id,
    source,
    demands: () => (feature === undefined ? [] : [{ name: 'feature', method: 'EQUALS', value: feature } as const]),
  })
  return (
    <>
      <DataTable
        table={table}
        title={feature === undefined ? 'Waiting for seats' : `Waiting for ${feature}`}
        what="people in line"
        rowName={({ feature, user }) => `${user}, ${feature}`}
        noRows="Nobody waits for a seat."
        rowActions={(row) => (
          <>
            {row.isOwn && (
              <Button
                size="compact-sm"
                variant="default"
                aria-label={`Leave the line for ${row.feature}`}
                onClick={() => run(LEAVE, row)}
              >
                Leave
              </Button>
            )}
            <LazyMenu
              label={`More actions: ${row.user}, ${row.feature}`}
              icon={<IconDots size={16} aria-hidden />}
              className={classes.more}
            >
              {() =>
                PLACE_ACTIONS.map((action) => (
                  <MenuAction key={action.button} action={action} thing={row} onRun={run} />
                ))
              }
            </LazyMenu>
          </>
        )}
        actionsWidth={112}
        actions={
          <>
            <ActionButton
              action={WAIT_FOR_SEAT}
              thing={{ ...(feature ? { feature } : {}), ...(serverId ? { server: { serverId, name: serverId } } : {}) }}
              size="xs"
              variant="default"
              hasIcon
            />
            <TableCsv
              table={table}
              fetchCsv={(question) =>
                fetchFile('license-use/waiting/export', { body: { customerNumber: number, ...question } })
              }
              fileName={`license-waiting_${number}.csv`}
            />
          </>
        }
      />
      {dialog}
    </>
  )
}
