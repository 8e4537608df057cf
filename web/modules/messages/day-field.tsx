import { TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useState } from 'react'
import type { CalendarDay } from '#domain/calendar/calendar-day.ts'
import classes from './alerts.module.css'

const TYPING_PAUSE = 500

type Props = {
  label: string
  value: CalendarDay | undefined
  errorOf(typed: string): string | undefined
  onChange(day: CalendarDay | undefined): void
}

/** A day that is typed: what is no day is told, and changes nothing. */
export function DayField({ label, value, errorOf, onChange }: Props) {
  const [typed, setTyped] = useState<string>()
  const [isLeft, setIsLeft] = useState(false)
  const error = typed === undefined ? undefined : errorOf(typed.trim())
  const commit = (text: string) => {
    if (errorOf(text.trim())) return setIsLeft(true)
    setTyped(undefined)
    onChange(text.trim() || undefined)
  }
  const commitSoon = useDebouncedCallback(commit, { delay: TYPING_PAUSE })
  const commitNow = () => {
    commitSoon.cancel()
    if (typed !== undefined) commit(typed)
  }
  return (
    <TextInput
      label={label}
      size="xs"
      className={classes.dayFilter}
      placeholder="YYYY-MM-DD"
      inputMode="numeric"
      autoComplete="off"
      value={typed ?? value ?? ''}
      error={isLeft && error}
      onChange={(event) => {
        setTyped(event.currentTarget.value)
        setIsLeft(false)
        commitSoon(event.currentTarget.value)
      }}
      onBlur={commitNow}
      onKeyDown={(event) => {
        if (event.key === 'Enter') commitNow()
      }}
    />
  )
}
