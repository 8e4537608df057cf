import { useMutation } from '@tanstack/react-query'
import { useRef } from 'react'
import { hasCode, isTemporary, unsavedText } from '#web/lib/api-failure.ts'
import { showPanel, withdrawPanel } from '#web/ui/panels.ts'

const RETRIES = 2
const RETRY_DELAY = 300

type Options<Input, Saved> = {
  /** Sends it to the server. Pass the key on to `call`: the same key never does the same thing twice. */
  send(input: Input, idempotencyKey: string): Promise<Saved>
  /** The text of the success panel. */
  success: string
  onSaved(saved: Saved, input: Input): void | Promise<void>
  /** Answers whether the failure is shown elsewhere. Otherwise an error panel shows it. */
  onFailed?(error: Error): boolean
  /** Names the act in the error panel. */
  notDone?: string
}

/** Sends a change to the server and shows how it went. What was shown of the attempt before is withdrawn. */
export function useSave<Input = void, Saved = unknown>(options: Options<Input, Saved>) {
  const { send, success, onSaved, onFailed, notDone } = options
  const shown = useRef('')
  const unanswered = useRef<Attempt>(undefined)
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: ({ input, key }: { input: Input; key: string }) => send(input, key),
    retry: (failures, error) => failures < RETRIES && isTemporary(error) && !hasCode(error, 'INTERNAL_ERROR'),
    retryDelay: (failures) => (failures + 1) * RETRY_DELAY,
    onMutate: () => {
      withdrawPanel('success', success)
      withdrawPanel('error', shown.current)
    },
    onSuccess: async (saved, { input }) => {
      unanswered.current = undefined
      await onSaved(saved, input)
      showPanel('success', success)
    },
    onError: (error) => {
      if (!isTemporary(error)) unanswered.current = undefined
      if (onFailed?.(error)) return
      shown.current = unsavedText(error, notDone)
      showPanel('error', shown.current)
    },
  })
  return {
    save: (input: Input) => {
      unanswered.current = nextAttempt(input, unanswered.current)
      mutate({ input, key: unanswered.current.key })
    },
    isSaving: isPending,
    error,
    reset,
  }
}

type Attempt = { readonly key: string; readonly content: string }

/** The same content keeps its key until it has been answered: the server may have done it although nobody heard. */
export function nextAttempt(input: unknown, unanswered: Attempt | undefined): Attempt {
  const content = JSON.stringify(input) ?? ''
  return unanswered?.content === content ? unanswered : { key: randomKey(), content }
}

/** `crypto.randomUUID` is missing where the portal is served without TLS. */
function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
