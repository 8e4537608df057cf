import { useEffect, useState } from 'react'

/** Gives the focus back when a dialog unmounts. Mantine does so only for dialogs that stay mounted and close. */
export function useFocusReturn(): void {
  const [before] = useState(() => document.activeElement)
  useEffect(() => () => (before instanceof HTMLElement ? before.focus({ preventScroll: true }) : undefined), [before])
}
