import { useCallback, useEffect, useRef, useState } from 'react'
import { readKept, writeKept } from '#web/lib/kept/kept.ts'
import { readSecretDraft, writeSecretDraft } from '#web/lib/kept/secret-drafts.ts'
import { currentUserEmail } from '#web/lib/sign-in/current-user.ts'

/** Older drafts are not offered any more. */
const MAX_AGE = 7 * 24 * 60 * 60 * 1000

/** Unsaved values of a form, and the saved values that they started from. */
export type KeptDraft<Values> = { readonly at: string; readonly original: Values; readonly values: Values }

type Options<Values> = {
  /** The name of the form; undefined keeps nothing. */
  name: string | undefined
  /** Kept in memory, and beyond a sign-in encrypted. */
  isSecret: boolean
  isDirty: boolean
  original: Values
  values: Values
}

/**
 * Keeps unsaved values in this browser, per person and form, so that they survive the end of a session. `offered` is the
 * draft of an earlier visit until the person restores or discards it; meanwhile nothing is overwritten. A draft that is
 * being written in another tab is not offered: nobody has left it.
 */
export function useKeptDraft<Values>({ name, isSecret, isDirty, original, values }: Options<Values>) {
  const [read, write] = isSecret ? [readSecretDraft, writeSecretDraft] : [readKept, writeKept]
  const [key] = useState(() => (name ? `draft:${currentUserEmail() ?? ''}:${name}` : undefined))
  const [offered, setOffered] = useState<KeptDraft<Values>>()
  const hasWritten = useRef(false)
  useEffect(() => {
    if (!key) return undefined
    // Secret drafts are in the memory of this tab.
    if (isSecret) return void setOffered(draftIn(read(key)))
    return holdForm(key, () => setOffered(draftIn(read(key))))
  }, [key, read, isSecret])
  useEffect(() => {
    // An unchanged form leaves the draft of another tab alone.
    if (!key || offered || !(isDirty || hasWritten.current)) return
    const draft: KeptDraft<Values> = { at: new Date().toISOString(), original, values }
    write(key, isDirty ? JSON.stringify(draft) : null)
    hasWritten.current = true
  }, [key, write, offered, isDirty, original, values])
  const forget = useCallback(() => {
    if (key) write(key, null)
    setOffered(undefined)
  }, [key, write])
  return { offered, forget, isKept: key !== undefined }
}

/**
 * Tells other tabs that a form is open here, until the answer is called. Calls `onAlone` if it is open in no other tab.
 * Browsers have no locks on pages without TLS: there, every tab counts as the only one.
 */
function holdForm(key: string, onAlone: () => void): () => void {
  const locks: LockManager | undefined = navigator.locks
  if (!locks) {
    onAlone()
    return () => {}
  }
  const { promise: isClosed, resolve: close } = Promise.withResolvers<void>()
  let isOpen = true
  void locks.query().then(({ held = [] }) => {
    if (!isOpen) return
    if (held.every((lock) => lock.name !== key)) onAlone()
    void locks.request(key, { mode: 'shared' }, () => isClosed)
  })
  return () => {
    isOpen = false
    close()
  }
}

function draftIn<Values>(text: string | null): KeptDraft<Values> | undefined {
  try {
    const draft = JSON.parse(text ?? 'null') as KeptDraft<Values> | null
    return draft && Date.now() - Date.parse(draft.at) < MAX_AGE ? draft : undefined
  } catch {
    return undefined
  }
}
