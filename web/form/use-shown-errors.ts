import { useState } from 'react'

/** An error appears when the field is left, or at once if nobody is typing, and disappears when the field is valid. */
export function useShownErrors() {
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const [focused, setFocused] = useState<string>()
  const [isRevealed, setIsRevealed] = useState(false)
  return {
    errorOf(id: string, error: string | undefined, value: unknown) {
      const isEmpty = value === '' || value === null || (Array.isArray(value) && value.length === 0)
      const isTyping = typeof value === 'string' && focused === id
      return isRevealed || left.has(id) || !(isEmpty || isTyping) ? error : undefined
    },
    events: (id: string) => ({
      onFocus: () => setFocused(id),
      onBlur: () => {
        setFocused(undefined)
        setLeft((now) => new Set(now).add(id))
      },
    }),
    /** Save was tried: all errors are shown. */
    reveal: () => setIsRevealed(true),
    hide() {
      setLeft(new Set())
      setIsRevealed(false)
    },
  }
}
