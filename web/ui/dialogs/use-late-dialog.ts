import { useLayoutEffect, useState } from 'react'

/**
 * For dialogs that are rarely opened: a closed dialog of Mantine draws a dozen components. It is not rendered before it
 * is opened for the first time. Then it is rendered closed and opened at once, because a dialog stores the focus, to
 * restore it later, when it opens.
 */
export function useLateDialog(opened: boolean): { isRendered: boolean; opened: boolean } {
  const [wasOpened, setWasOpened] = useState(false)
  useLayoutEffect(() => {
    if (opened) setWasOpened(true)
  }, [opened])
  return { isRendered: opened || wasOpened, opened: opened && wasOpened }
}
