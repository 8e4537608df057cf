import type { ModalProps } from '@mantine/core'
import { type ReactNode, useSyncExternalStore } from 'react'
import { Dialog } from '#web/ui/dialogs/dialog.tsx'

type Look = { title: string; size?: ModalProps['size'] }
type Opened = { id: number; look: Look; content: ReactNode; onClose(): void }

let opened: readonly Opened[] = []
let lastId = 0
const listeners = new Set<() => void>()

function change(next: readonly Opened[]): void {
  opened = next
  for (const listener of listeners) listener()
}

/** Opens a dialog from code that draws nothing itself. */
export function openDialog(look: Look, content: (close: () => void) => ReactNode, onClosed?: () => void): void {
  lastId += 1
  const id = lastId
  const onClose = () => {
    change(opened.filter((one) => one.id !== id))
    onClosed?.()
  }
  change([...opened, { id, look, content: content(onClose), onClose }])
}

/** The dialogs that are open, in the order in which they were opened. */
export function OpenedDialogs() {
  return useSyncExternalStore(subscribe, () => opened).map(({ id, look, content, onClose }) => (
    <Dialog key={id} {...look} onClose={onClose}>
      {content}
    </Dialog>
  ))
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
