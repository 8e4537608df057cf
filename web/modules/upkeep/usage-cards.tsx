import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import type { Upkeep } from '#contract/upkeep/upkeep.ts'
import { formatDuration } from '#domain/upkeep/duration.ts'
import { useSave } from '#web/form/use-save.ts'
import { countOf, timeText } from '#web/lib/format.ts'
import { serverTime } from '#web/lib/server-time.ts'
import { AccountLink } from '#web/modules/upkeep/account-link.tsx'
import { type PinLock, unlock, upkeepQuery } from '#web/modules/upkeep/upkeep.api.ts'
import { FINE, Note, NotRead, type State, UpkeepCard } from '#web/modules/upkeep/upkeep-card.tsx'
import { type Column, UpkeepTable } from '#web/modules/upkeep/upkeep-table.tsx'
import { confirm } from '#web/ui/dialogs/confirm.tsx'
import classes from './upkeep.module.css'

const ageOf = (instant: string) => formatDuration(serverTime().getTime() - Date.parse(instant))

type Ingest = NonNullable<Upkeep['ingest']>

export function IngestCard({ ingest }: { ingest: Upkeep['ingest'] }) {
  const late = ingest?.lateCount ?? 0
  return (
    <UpkeepCard
      title="Incoming usage"
      state={ingest ? (late > 0 ? { signal: 'orange', text: `${late} late` } : FINE) : undefined}
    >
      {!ingest && <NotRead />}
      {ingest && (
        <Note>
          {ingest.newestAt
            ? `Usage last arrived ${ageOf(ingest.newestAt)} ago, at ${timeText(ingest.newestAt)}.`
            : 'No usage has arrived yet.'}
        </Note>
      )}
      {ingest && late === 0 && <Note>No elastic license server that sends usage has been silent for a day.</Note>}
      {ingest && late > 0 && (
        <>
          <Note>
            These elastic license servers have sent usage within 30 days, but none for a day. Ask the account whether
            the server runs and reaches the portal.
            {late > ingest.late.length && ` ${ingest.late.length} of ${countOf(late, 'server')} are shown.`}
          </Note>
          <UpkeepTable
            label="Elastic license servers that are late"
            rows={ingest.late}
            keyOf={({ serverId }) => serverId}
            columns={LATE_COLUMNS}
          />
        </>
      )}
    </UpkeepCard>
  )
}

const LATE_COLUMNS: readonly Column<Ingest['late'][number]>[] = [
  {
    label: 'Account',
    cell: ({ customerNumber, accountName }) => (
      <AccountLink to="/transactions" number={customerNumber} name={accountName} />
    ),
  },
  { label: 'Server', cell: ({ serverId }) => <code>{serverId}</code> },
  { label: 'Silent for', isFigure: true, cell: ({ arrivedAt }) => ageOf(arrivedAt) },
]

export function LocksCard({ locks }: { locks: Upkeep['locks'] }) {
  const queries = useQueryClient()
  const unlocking = useSave({
    send: (lock: PinLock, key) => unlock(lock, key),
    success: 'The address can send PINs again.',
    notDone: 'Nothing was unlocked.',
    onSaved: () => queries.invalidateQueries(upkeepQuery),
  })
  const ask = async (lock: PinLock) => {
    const question = `Let ${lock.externalIp} send PINs for ${lock.serverId} again? It has sent ${countOf(lock.failures, 'wrong PIN')}.`
    if (await confirm(question, 'Unlock address')) unlocking.save(lock)
  }
  const count = locks?.length ?? 0
  return (
    <UpkeepCard
      title="Locked PINs"
      state={locks ? (count > 0 ? { signal: 'orange', text: `${count} locked` } : FINE) : undefined}
    >
      {!locks && <NotRead />}
      {locks && count === 0 && <Note>No address is locked.</Note>}
      {locks && count > 0 && (
        <>
          <Note>
            These addresses have sent wrong PINs and have to wait. Unlock one if the account confirms that it is theirs.
          </Note>
          <UpkeepTable
            label="Locked PINs"
            rows={locks}
            keyOf={({ serverId, externalIp }) => `${serverId} ${externalIp}`}
            columns={LOCK_COLUMNS}
            act={(lock) => (
              <Button
                variant="default"
                size="compact-sm"
                aria-label={`Unlock ${lock.externalIp}`}
                disabled={unlocking.isSaving}
                onClick={() => ask(lock)}
              >
                Unlock
              </Button>
            )}
          />
        </>
      )}
    </UpkeepCard>
  )
}

const LOCK_COLUMNS: readonly Column<PinLock>[] = [
  { label: 'Address', cell: ({ externalIp }) => <code>{externalIp}</code> },
  {
    label: 'Account',
    cell: ({ customerNumber, accountName, serverId }) => (
      <>
        <AccountLink to="/elastic-denials" number={customerNumber} name={accountName} />
        <span className={classes.second}>{serverId}</span>
      </>
    ),
  },
  { label: 'Wrong PINs', isFigure: true, cell: ({ failures }) => failures },
  { label: 'Until', isTime: true, cell: ({ until }) => timeText(until) },
]

type Months = NonNullable<Upkeep['partitions']>['months']

export function PartitionsCard({ partitions }: { partitions: Upkeep['partitions'] }) {
  const months = partitions?.months ?? []
  const missing = months.filter(({ state }) => state === 'missing')
  return (
    <UpkeepCard title="Months of usage" state={partitions ? monthsState(missing) : undefined}>
      {!partitions && <NotRead />}
      {partitions && <Note>{monthsText(months)}</Note>}
      {missing.length > 0 && (
        <Note>
          {missing.map(({ month }) => month).join(', ')} has no partition. Usage of a month without one is refused. The
          portal makes them when it starts, and every night.
        </Note>
      )}
    </UpkeepCard>
  )
}

const monthsState = (missing: Months): State =>
  missing.length > 0 ? { signal: 'red', text: `${missing.length} missing` } : FINE

function monthsText(months: Months): string {
  const ready = months.filter(({ state }) => state === 'ready').map(({ month }) => month)
  const archived = months.find(({ state }) => state === 'archived')?.month
  const present =
    ready.length > 0 ? `${countOf(ready.length, 'month')} from ${ready.at(-1)} to ${ready[0]}.` : 'No months.'
  return `${present} ${archived ? `Archived up to ${archived}.` : 'Nothing is archived.'}`
}
