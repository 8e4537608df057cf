import { lazy } from 'react'
import type { ActionOn } from '#web/lib/action.ts'

/** Only who opens it needs its code. */
const GiveSeatDialog = lazy(async () => ({
  default: (await import('#web/modules/web-licenses/assignments/give-seat.dialog.tsx')).GiveSeatDialog,
}))

const AssignAllDialog = lazy(async () => ({
  default: (await import('#web/modules/web-licenses/assignments/assign-all.dialog.tsx')).AssignAllDialog,
}))

export type Wanted = { readonly product: string; readonly user: string }

const giveSeat = {
  right: 'web-licenses.write',
  opens: (wanted: Wanted) => ({ dialog: (onClose: () => void) => <GiveSeatDialog {...wanted} onClose={onClose} /> }),
} as const

export const ASSIGN: ActionOn<Wanted> = { ...giveSeat, button: 'Assign' }
export const MOVE_SEATS: ActionOn<Wanted> = { ...giveSeat, button: 'Move seats' }
export const ASSIGN_ALL: ActionOn<readonly Wanted[]> = {
  right: 'web-licenses.write',
  button: 'Assign all…',
  opens: (wanted) => ({ dialog: (onClose) => <AssignAllDialog wanted={wanted} onClose={onClose} /> }),
}
