import { Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { listPinLocks, unlockPin } from '#contract/elastic/pin-locks.ts'
import type { DataOf } from '#contract/kit/operation.ts'
import { useSave } from '#web/form/use-save.ts'
import { call } from '#web/lib/api-client.ts'
import { useCan } from '#web/lib/customer.tsx'
import { countText, timeText } from '#web/lib/format.ts'
import { SignalStrip } from '#web/ui/signal-strip.tsx'
import classes from './denials.module.css'

type PinLock = DataOf<typeof listPinLocks>[number]

/** An attack from many addresses must not fill the screen. */
const MOST = 10

/** Addresses that sent wrong PINs and must wait, or are locked. Staff can unlock them. */
export function PinLocks({ customerNumber }: { customerNumber: string }) {
  const { data = [] } = useQuery(locksQuery(customerNumber))
  return (
    <>
      {data.slice(0, MOST).map((lock) => (
        <LockedAddress key={`${lock.serverId} ${lock.externalIp}`} customerNumber={customerNumber} lock={lock} />
      ))}
      {data.length > MOST && (
        <SignalStrip signal="orange">{countText(data.length - MOST)} more addresses have to wait.</SignalStrip>
      )}
    </>
  )
}

function LockedAddress({ customerNumber, lock }: { customerNumber: string; lock: PinLock }) {
  const { serverId, externalIp, failures, until } = lock
  const mayUnlock = useCan('elastic.unlock-pin')
  const queries = useQueryClient()
  const { save, isSaving } = useSave({
    send: (_: undefined, idempotencyKey) =>
      call(unlockPin, { body: { customerNumber, serverId, externalIp }, idempotencyKey }),
    success: `${externalIp} can send PINs again.`,
    notDone: 'The address is still locked.',
    onSaved: () => queries.invalidateQueries({ queryKey: locksQuery(customerNumber).queryKey }),
  })
  return (
    <SignalStrip signal="orange">
      <span className={classes.lock}>
        <span>
          {externalIp} sent {countText(failures)} wrong PINs for {serverId}. No PIN is accepted from there before{' '}
          {timeText(until)}.
        </span>
        {mayUnlock && (
          <Button
            size="compact-sm"
            variant="default"
            loading={isSaving}
            onClick={() => save(undefined)}
            aria-label={`Unlock ${externalIp}`}
          >
            Unlock
          </Button>
        )}
      </span>
    </SignalStrip>
  )
}

const locksQuery = (customerNumber: string) => ({
  queryKey: ['elastic-pin-locks', customerNumber],
  queryFn: async ({ signal }: { signal: AbortSignal }) => call(listPinLocks, { body: { customerNumber }, signal }),
})
