import { useDebouncedCallback } from '@mantine/hooks'
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react'
import { useFilterRow } from '#web/table/filters/filter-row.ts'
import { useOverlayParts } from '#web/ui/overlays/use-overlay-parts.ts'
import classes from './filter-row.module.css'

const TYPING_PAUSE = 500

type Props = {
  label: string
  placeholder: string
  /** The applied value. Text that is being typed replaces it on screen. */
  value: string
  onCommit(text: string): void
  /** A hint for invalid text, which is not applied. */
  problemOf?: ((text: string) => string | undefined) | undefined
  /** Shown before the text: how it is compared. */
  sign?: string
  inputMode?: 'text'
  /** Takes the focus when its popover opens. */
  isFirst?: boolean
  children?: ReactNode
}

/** A field of a filter. What is typed is applied after a pause, on Enter, and when the field is left. */
export function TypedField({ label, placeholder, value, onCommit, problemOf, sign, inputMode, ...props }: Props) {
  const [draft, setDraft] = useState<string>()
  const [isFocused, setIsFocused] = useState(false)
  const field = useRef<HTMLDivElement>(null)
  const problem = draft === undefined || draft === '' ? undefined : problemOf?.(draft)
  const commit = (text: string) => {
    const isUsable = text === '' || !problemOf?.(text)
    if (isUsable) setDraft(undefined)
    const used = isUsable ? text : ''
    if (used !== value) onCommit(used)
  }
  const parts = useOverlayParts(problem !== undefined)
  const commitSoon = useDebouncedCallback(commit, { delay: TYPING_PAUSE, flushOnUnmount: true })
  const { clearings } = useFilterRow()
  const [seenClearings, setSeenClearings] = useState(clearings)
  if (seenClearings !== clearings) {
    setSeenClearings(clearings)
    setDraft(undefined)
  }
  const forget = useEffectEvent(() => commitSoon.cancel())
  useEffect(() => {
    if (clearings > 0) forget()
  }, [clearings])
  const commitNow = () => {
    if (draft === undefined) return
    commitSoon.cancel()
    commit(draft)
  }
  return (
    <div
      ref={field}
      className={classes.field}
      data-filled={(draft ?? value) !== '' || undefined}
      data-problem={problem && true}
    >
      {sign && (
        <span className={classes.sign} aria-hidden>
          {sign}
        </span>
      )}
      <input
        className={classes.input}
        data-autofocus={props.isFirst || undefined}
        aria-label={label}
        aria-invalid={problem ? true : undefined}
        aria-description={problem}
        placeholder={placeholder}
        inputMode={inputMode}
        spellCheck={false}
        autoComplete="off"
        value={draft ?? value}
        onChange={(event) => {
          setDraft(event.currentTarget.value)
          commitSoon(event.currentTarget.value)
        }}
        onFocus={() => setIsFocused(true)}
        onBlur={() => {
          setIsFocused(false)
          commitNow()
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter') commitNow()
        }}
      />
      {props.children}
      {problem && isFocused && parts && (
        <parts.Tooltip opened target={field} label={problem} color="red" multiline maw={260} />
      )}
    </div>
  )
}
