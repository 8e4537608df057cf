import { lazy } from 'react'
import type { ActionOn } from '#web/lib/action.ts'

/** Only who opens it needs its code. */
const GiveSeatDialog = lazy(async () => ({
  default: (await import('#web/modules/web-licenses/assignments/give-seat.dialog.tsx')).GiveSeatDialog,
}))

export type Wanted = { readonly product: string; readonly user: string }

const giveSeat = {
  right: 'web-licenses.write',
  opens: (wanted: Wanted) => ({ dialog: (onClose: () => void) => <GiveSeatDialog {...wanted} onClose={onClose} /> }),
} as const

export const ASSIGN: ActionOn<Wanted> = { ...giveSeat, button: 'Assign' }
export const MOVE_SEATS: ActionOn<Wanted> = { ...giveSeat, button: 'Move seats' }
