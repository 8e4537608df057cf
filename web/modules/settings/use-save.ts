import { useMutation } from '@tanstack/react-query'
import { useRef } from 'react'
import { hasCode, isForbidden, unsavedText } from '#web/lib/api-failure.ts'
import { showPanel, withdrawPanel } from '#web/ui/panels/panels.ts'

type Options<Saved> = {
  /** What the person is told when it has worked. */
  done: string
  send(): Promise<Saved>
  onSaved(saved: Saved): void
  /** Somebody else has saved meanwhile. */
  onConflict(message: string): Promise<void>
}

/** Saves a form and tells how it went. What was told of the attempt before holds no longer. */
export function useSave<Saved>({ done, send, onSaved, onConflict }: Options<Saved>) {
  const told = useRef('')
  const tellFailure = (error: Error) => {
    told.current = unsavedText(error)
    showPanel('error', told.current)
  }
  return useMutation({
    onMutate: () => {
      withdrawPanel('success', done)
      withdrawPanel('error', told.current)
    },
    mutationFn: send,
    onSuccess: (saved) => {
      onSaved(saved)
      showPanel('success', done)
    },
    onError: (error) => {
      // The screen leads to /nopermissions, which says it.
      if (isForbidden(error)) return
      return hasCode(error, 'STALE') ? onConflict(error.message).catch(() => tellFailure(error)) : tellFailure(error)
    },
  })
}
