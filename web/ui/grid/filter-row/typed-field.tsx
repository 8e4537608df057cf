import { useDebouncedCallback } from '@mantine/hooks'
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import { useFilterRow } from '#web/ui/grid/filter-row/filter-row.ts'
import classes from './filter-row.module.css'

const TYPING_PAUSE = 500

type Props = {
  label: string
  placeholder: string
  /** What is in force; what is being typed stands before it. */
  value: string
  onCommit(text: string): void
  /** What is wrong with the text as it stands: nothing is filtered by then. */
  problemOf?: (text: string) => string | undefined
  /** Says before the text how it is compared. */
  sign?: string
  inputMode?: 'decimal' | 'text'
  children?: ReactNode
}

/** A field of the filter row: takes over what was typed after a pause, on Enter, and when it is left. */
export function TypedField({ label, placeholder, value, onCommit, problemOf, sign, inputMode, children }: Props) {
  const [draft, setDraft] = useState<string>()
  const problem = draft === undefined ? undefined : problemOf?.(draft)
  const commit = (text: string) => {
    const isUsable = !problemOf?.(text)
    if (isUsable) setDraft(undefined)
    const used = isUsable ? text : ''
    if (used !== value) onCommit(used)
  }
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
    <div className={classes.field} data-filled={(draft ?? value) !== '' || undefined} data-problem={problem && true}>
      {sign && (
        <span className={classes.sign} aria-hidden>
          {sign}
        </span>
      )}
      <input
        className={classes.input}
        aria-label={label}
        aria-invalid={problem ? true : undefined}
        title={problem}
        placeholder={placeholder}
        inputMode={inputMode}
        spellCheck={false}
        autoComplete="off"
        value={draft ?? value}
        onChange={(event) => {
          setDraft(event.currentTarget.value)
          commitSoon(event.currentTarget.value)
        }}
        onBlur={commitNow}
        onKeyDown={(event) => {
          if (event.key === 'Enter') commitNow()
        }}
      />
      {children}
    </div>
  )
}
