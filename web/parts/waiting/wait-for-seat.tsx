import { IconHourglassLow } from '@tabler/icons-react'
import { lazy } from 'react'
import type { DialogOn } from '#web/lib/action.ts'
import type { Wanted } from '#web/parts/waiting/wait-for-seat.dialog.tsx'

/** Only who gets in line needs it. */
const WaitForSeatDialog = lazy(async () => ({
  default: (await import('#web/parts/waiting/wait-for-seat.dialog.tsx')).WaitForSeatDialog,
}))

/** Gets in line for a seat of a license server. */
export const WAIT_FOR_SEAT = {
  button: 'Wait for a seat',
  icon: IconHourglassLow,
  right: 'license-use.wait',
  opens: (wanted) => ({ dialog: (onClose) => <WaitForSeatDialog wanted={wanted} onClose={onClose} /> }),
} as const satisfies DialogOn<Wanted>
