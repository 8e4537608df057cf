import { useMutation } from '@tanstack/react-query'
import { useRef } from 'react'
import { type ApiError, hasCode, isTemporary, unsavedText } from '#web/lib/api/api-error.ts'
import { goToFreshSignIn } from '#web/lib/sign-in/sign-in.ts'
import { confirm } from '#web/ui/dialogs/confirm.tsx'
import { showPanel, withdrawPanel } from '#web/ui/panels.ts'

const RETRIES = 2
const RETRY_DELAY = 300

type Options<Input, Saved> = {
  /** Sends the input to the server. Pass the key to `call`: the server runs each key only once. */
  send(input: Input, idempotencyKey: string): Promise<Saved>
  /** The text of the success panel; undefined where the screen says it in another way. */
  success: string | ((saved: Saved) => string | undefined)
  onSaved(saved: Saved, input: Input): void | Promise<void>
  /** Takes the change back; the success panel offers it. */
  undo?(saved: Saved, input: Input): void
  /** Returns whether the failure is shown elsewhere. Otherwise an error panel shows it. */
  onFailed?(error: Error, input: Input): boolean
  /** What did not happen, for the error panel: "Nothing was deleted." */
  notDone?: string | ((input: Input) => string | undefined)
}

/** Sends a change to the server and shows the result. The result of the previous attempt disappears. */
export function useSave<Input = void, Saved = unknown>(options: Options<Input, Saved>) {
  const { send, success, onSaved, undo, onFailed, notDone } = options
  const shown = useRef('')
  const shownSuccess = useRef('')
  const unanswered = useRef<Attempt>(undefined)
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: ({ input, key }: { input: Input; key: string }) => send(input, key),
    retry: (failures, error) => failures < RETRIES && isTemporary(error) && !hasCode(error, 'INTERNAL_ERROR'),
    retryDelay: (failures) => (failures + 1) * RETRY_DELAY,
    onMutate: () => {
      withdrawPanel('success', typeof success === 'string' ? success : shownSuccess.current)
      withdrawPanel('error', shown.current)
    },
    onSuccess: async (saved, { input }) => {
      unanswered.current = undefined
      await onSaved(saved, input)
      const text = typeof success === 'string' ? success : success(saved)
      shownSuccess.current = text ?? ''
      if (text !== undefined) showPanel('success', text, undo && (() => undo(saved, input)))
    },
    onError: (error, { input }) => {
      if (!isTemporary(error)) unanswered.current = undefined
      if (hasCode(error, 'FRESH_SIGN_IN_NEEDED')) void offerFreshSignIn(error)
      if (onFailed?.(error, input)) return
      shown.current = unsavedText(error, typeof notDone === 'function' ? notDone(input) : notDone)
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

/** The page is left for the sign-in. Forms that keep unsaved changes offer them when the person comes back. */
async function offerFreshSignIn(error: ApiError): Promise<void> {
  const question = `${error.message} You come back to this page. Unsaved changes of a form are offered there.`
  if (await confirm(question, 'Sign in again', { title: 'Sign in again' })) goToFreshSignIn()
}

type Attempt = { readonly key: string; readonly content: string }

/** Equal content keeps its key until there is an answer, because the server may have saved it already. */
export function nextAttempt(input: unknown, unanswered: Attempt | undefined): Attempt {
  const content = JSON.stringify(input) ?? ''
  return unanswered?.content === content ? unanswered : { key: randomKey(), content }
}

/** `crypto.randomUUID` does not exist without TLS. */
export function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
