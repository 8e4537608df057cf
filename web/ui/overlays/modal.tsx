import type { DrawerProps, ModalProps } from '@mantine/core'
import { useLayoutEffect, useState } from 'react'
import { useOverlayParts } from '#web/ui/overlays/use-overlay-parts.ts'

/** A dialog that says when it is open. Its code is loaded when it opens for the first time. */
export function Modal(props: ModalProps) {
  const { parts, opened } = useLateOpening(props.opened)
  return parts && <parts.Modal {...props} opened={opened} />
}

/** A dialog at the edge of the window. */
export function Drawer(props: DrawerProps) {
  const { parts, opened } = useLateOpening(props.opened)
  return parts && <parts.Drawer {...props} opened={opened} />
}

/**
 * A closed dialog of Mantine draws a dozen components. It is not rendered before it is opened for the first time. Then it
 * is rendered closed and opened at once, because a dialog stores the focus, to restore it later, when it opens.
 */
function useLateOpening(opened: boolean) {
  const parts = useOverlayParts(opened)
  const [wasOpened, setWasOpened] = useState(false)
  const isReady = opened && parts !== undefined
  useLayoutEffect(() => {
    if (isReady) setWasOpened(true)
  }, [isReady])
  return { parts: isReady || wasOpened ? parts : undefined, opened: opened && wasOpened }
}
