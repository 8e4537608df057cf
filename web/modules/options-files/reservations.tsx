import { Button, Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import type { OptionsFile, SavedReservation } from '#contract/options-files/options-files.ts'
import { NOT_ENOUGH_PERMISSIONS } from '#domain/access/can.ts'
import { readOptionsRules } from '#domain/options-files/options-document.ts'
import { isReservedOn } from '#domain/options-files/reservations.ts'
import { useSave } from '#web/form/use-save.ts'
import { call } from '#web/lib/api/api-client.ts'
import { useCan } from '#web/lib/customer.tsx'
import { countOf } from '#web/lib/format.ts'
import { OptionsCard } from '#web/modules/options-files/options-card.tsx'
import type { FileName } from '#web/modules/options-files/options-files.api.ts'
import { ReservationDialog } from '#web/modules/options-files/reservation.dialog.tsx'
import { daysText } from '#web/modules/options-files/weekdays.ts'
import { confirm } from '#web/ui/dialogs/confirm.tsx'
import { ReasonTooltip } from '#web/ui/reason-tooltip.tsx'
import { SignalDot } from '#web/ui/signal-dot.tsx'
import classes from './options-files.module.css'

type Props = { name: FileName; file: OptionsFile; onSaved(): void }

/** Seats that groups have on some days. The portal writes them into the file of each day. */
export function Reservations({ name, file, onSaved }: Props) {
  const { reservations, today, text } = file
  const mayWrite = useCan('activations.write')
  const [edited, setEdited] = useState<SavedReservation | 'new'>()
  const { save: remove } = useSave({
    send: ({ id }: SavedReservation, idempotencyKey) =>
      call('license-servers/options/reservations/remove', { body: { ...name, id }, idempotencyKey }),
    success: 'The reservation was removed.',
    notDone: 'The reservation was not removed.',
    onSaved,
  })
  const ask = async (one: SavedReservation) => {
    if (await confirm(`Remove the reservation of ${one.feature} for group ${one.group}?`, 'Remove reservation'))
      remove(one)
  }
  const reason = mayWrite ? undefined : NOT_ENOUGH_PERMISSIONS
  const hasGroups = readOptionsRules(text).groups.length > 0
  return (
    <OptionsCard
      title="Reservations"
      about="Seats of a feature for a user group on some days. The file of each day has them."
      actions={
        <ReasonTooltip reason={reason ?? (hasGroups ? undefined : 'Save an options file with a user group first.')}>
          <Button
            size="xs"
            variant="default"
            leftSection={<IconPlus size={14} aria-hidden />}
            onClick={() => setEdited('new')}
          >
            Reserve seats
          </Button>
        </ReasonTooltip>
      }
    >
      {reservations.length === 0 ? (
        <Text c="dimmed">No seats are reserved from today on.</Text>
      ) : (
        <ul className={classes.list}>
          {reservations.map((one) => (
            <li key={one.id}>
              <span>
                <Text component="span" fw={500}>
                  {countOf(one.seats, 'seat')} of {one.feature} for {one.group}
                </Text>
                <span className={classes.meta}>
                  {daysText(one)} · {one.savedBy}
                </span>
                {isReservedOn(one, today) && <SignalDot signal="green">In the file of today</SignalDot>}
              </span>
              <span className={classes.buttons}>
                <ReasonTooltip reason={reason}>
                  <Button
                    size="compact-sm"
                    variant="default"
                    aria-label={`Change the reservation of ${one.feature} for ${one.group}`}
                    onClick={() => setEdited(one)}
                  >
                    Change
                  </Button>
                </ReasonTooltip>
                <ReasonTooltip reason={reason}>
                  <Button
                    size="compact-sm"
                    variant="default"
                    aria-label={`Remove the reservation of ${one.feature} for ${one.group}`}
                    onClick={() => void ask(one)}
                  >
                    Remove
                  </Button>
                </ReasonTooltip>
              </span>
            </li>
          ))}
        </ul>
      )}
      {edited && (
        <ReservationDialog
          name={name}
          file={file}
          reservation={edited === 'new' ? undefined : edited}
          onClose={() => setEdited(undefined)}
          onSaved={() => {
            setEdited(undefined)
            onSaved()
          }}
        />
      )}
    </OptionsCard>
  )
}
