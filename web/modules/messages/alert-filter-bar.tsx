import { Checkbox, Group, NativeSelect, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { CalendarDay } from '#domain/calendar/calendar-day.ts'
import { ALERT_CATEGORIES, ALERT_LABELS, type AlertCategory } from '#domain/messages/alerts.ts'
import { type AlertChoice, dayError, STATUS_CHOICES, type StatusChoice } from '#web/modules/messages/alert-choice.ts'
import { alertServicesQuery } from '#web/modules/messages/alerts.api.ts'
import classes from './alerts.module.css'

type Props = {
  choice: AlertChoice
  onChange(part: Partial<AlertChoice>): void
  /** False on the page of one category. */
  hasCategories: boolean
}

/** The most severe one first. */
const CATEGORIES = ALERT_CATEGORIES.toReversed()

export function AlertFilterBar({ choice, onChange, hasCategories }: Props) {
  const { data: services = [] } = useQuery(alertServicesQuery)
  const { categories, status, service, from, to } = choice
  const isUnfiltered = categories.length === 0 && !status && !service && !from && !to
  return (
    <Group gap="sm" align="flex-start">
      {hasCategories && (
        <Checkbox.Group
          size="xs"
          label="Category"
          value={[...categories]}
          onChange={(ticked) => onChange({ categories: ticked as AlertCategory[] })}
        >
          <div className={classes.categories}>
            {CATEGORIES.map((category) => (
              <Checkbox key={category} size="xs" value={category} label={ALERT_LABELS[category]} />
            ))}
          </div>
        </Checkbox.Group>
      )}
      <NativeSelect
        {...COMPACT}
        label="Status"
        data={[{ value: '', label: 'Any' }, ...STATUS_CHOICES]}
        value={status ?? ''}
        onChange={(event) => onChange({ status: (event.currentTarget.value || undefined) as StatusChoice | undefined })}
      />
      <NativeSelect
        {...COMPACT}
        label="Service"
        data={[{ value: '', label: 'Any' }, ...withChosen(services, service)]}
        value={service ?? ''}
        onChange={(event) => onChange({ service: event.currentTarget.value || undefined })}
      />
      <DayField
        label="From"
        isUnfiltered={isUnfiltered}
        value={from}
        errorOf={(typed) => dayError(typed) ?? (to && typed > to ? FROM_AFTER_TO : undefined)}
        onChange={(day) => onChange({ from: day })}
      />
      <DayField
        label="To"
        isUnfiltered={isUnfiltered}
        value={to}
        errorOf={(typed) => dayError(typed) ?? (from && typed && typed < from ? FROM_AFTER_TO : undefined)}
        onChange={(day) => onChange({ to: day })}
      />
    </Group>
  )
}

const FROM_AFTER_TO = '"From" must not be after "To".'
const COMPACT = { size: 'xs', className: classes.filter } as const

/** Keeps a saved choice in the list even if no alert has that service any more. */
function withChosen(services: readonly string[], chosen: string | undefined): string[] {
  return chosen && !services.includes(chosen) ? [chosen, ...services] : [...services]
}

const TYPING_PAUSE = 500

type DayProps = {
  label: string
  /** When it becomes true, an invalid text is cleared as well. */
  isUnfiltered: boolean
  value: CalendarDay | undefined
  errorOf(typed: string): string | undefined
  onChange(day: CalendarDay | undefined): void
}

/** A field for a typed day. Invalid text shows an error and does not filter. */
function DayField({ label, isUnfiltered, value, errorOf, onChange }: DayProps) {
  const [typed, setTyped] = useState<string>()
  const [wasUnfiltered, setWasUnfiltered] = useState(isUnfiltered)
  if (wasUnfiltered !== isUnfiltered) {
    setWasUnfiltered(isUnfiltered)
    if (isUnfiltered) setTyped(undefined)
  }
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
