import { useLayoutEffect, useState } from 'react'

/**
 * For dialogs that are rarely opened: a closed dialog of Mantine draws a dozen components. This one is not rendered before
 * it is opened for the first time. Then it is rendered closed and opened at once, because a dialog remembers the focus,
 * to give it back, when it opens.
 */
export function useLateDialog(opened: boolean): { isRendered: boolean; opened: boolean } {
  const [wasOpened, setWasOpened] = useState(false)
  useLayoutEffect(() => {
    if (opened) setWasOpened(true)
  }, [opened])
  return { isRendered: opened || wasOpened, opened: opened && wasOpened }
}
