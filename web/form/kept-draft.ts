import { useCallback, useEffect, useState } from 'react'
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
 * draft of an earlier visit until the person restores or discards it; meanwhile nothing is overwritten.
 */
export function useKeptDraft<Values>({ name, isSecret, isDirty, original, values }: Options<Values>) {
  const [read, write] = isSecret ? [readSecretDraft, writeSecretDraft] : [readKept, writeKept]
  const [key] = useState(() => (name ? `draft:${currentUserEmail() ?? ''}:${name}` : undefined))
  const [offered, setOffered] = useState(() => (key ? draftIn<Values>(read(key)) : undefined))
  useEffect(() => {
    if (!key || offered) return
    const draft: KeptDraft<Values> = { at: new Date().toISOString(), original, values }
    write(key, isDirty ? JSON.stringify(draft) : null)
  }, [key, write, offered, isDirty, original, values])
  const forget = useCallback(() => {
    if (key) write(key, null)
    setOffered(undefined)
  }, [key, write])
  return { offered, forget, isKept: key !== undefined }
}

function draftIn<Values>(text: string | null): KeptDraft<Values> | undefined {
  try {
    const draft = JSON.parse(text ?? 'null') as KeptDraft<Values> | null
    return draft && Date.now() - Date.parse(draft.at) < MAX_AGE ? draft : undefined
  } catch {
    return undefined
  }
}
