import type { ModalProps } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useOverlayParts } from '#web/ui/overlays/use-overlay-parts.ts'

/** A dialog that is open as long as it is mounted. */
export function Dialog(props: Omit<ModalProps, 'opened'>) {
  useFocusReturn()
  const parts = useOverlayParts()
  return parts && <parts.Modal opened {...props} />
}

/** Gives the focus back when the dialog unmounts. Mantine does so only for dialogs that stay mounted and close. */
function useFocusReturn(): void {
  const [opener] = useState(() => document.activeElement)
  useEffect(() => {
    // A dialog that follows another one was opened from there, and the other one has just given the focus back.
    const before = opener?.isConnected ? opener : document.activeElement
    return () => (before instanceof HTMLElement ? before.focus({ preventScroll: true }) : undefined)
  }, [opener])
}
