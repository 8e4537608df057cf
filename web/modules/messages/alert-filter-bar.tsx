import { Group, NativeSelect, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { CalendarDay } from '#domain/calendar/calendar-day.ts'
import { ALERT_CATEGORIES, ALERT_LABELS, type AlertCategory, severityOf } from '#domain/messages/alerts.ts'
import { type AlertChoice, dayError, STATUS_CHOICES, type StatusChoice } from '#web/modules/messages/alert-choice.ts'
import { alertServicesQuery } from '#web/modules/messages/alerts.api.ts'
import classes from './alerts.module.css'

type Props = {
  choice: AlertChoice
  onChange(part: Partial<AlertChoice>): void
  /** On the page of one category there is nothing to choose. */
  hasCategories: boolean
}

const CATEGORIES = ALERT_CATEGORIES.map((value) => ({ value, label: ALERT_LABELS[value] }))

export function AlertFilterBar({ choice, onChange, hasCategories }: Props) {
  const { data: services = [] } = useQuery(alertServicesQuery)
  const { least, most, status, service, from, to } = choice
  return (
    <Group gap="sm" align="flex-start">
      {hasCategories && (
        <>
          <NativeSelect
            size="xs"
            className={classes.wideFilter}
            label="Category from"
            data={CATEGORIES}
            value={least}
            onChange={(event) => onChange(rangeFrom(event.currentTarget.value as AlertCategory, most))}
          />
          <NativeSelect
            size="xs"
            className={classes.wideFilter}
            label="Category to"
            data={CATEGORIES}
            value={most}
            onChange={(event) => onChange(rangeTo(least, event.currentTarget.value as AlertCategory))}
          />
        </>
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
        value={from}
        errorOf={(typed) => dayError(typed) ?? (to && typed > to ? 'From lies after To.' : undefined)}
        onChange={(day) => onChange({ from: day })}
      />
      <DayField
        label="To"
        value={to}
        errorOf={(typed) => dayError(typed) ?? (from && typed && typed < from ? 'To lies before From.' : undefined)}
        onChange={(day) => onChange({ to: day })}
      />
    </Group>
  )
}

const COMPACT = { size: 'xs', className: classes.filter } as const

/** A range never ends before it begins: the other end moves along. */
function rangeFrom(least: AlertCategory, most: AlertCategory): Partial<AlertChoice> {
  return { least, most: severityOf(most) < severityOf(least) ? least : most }
}

function rangeTo(least: AlertCategory, most: AlertCategory): Partial<AlertChoice> {
  return { least: severityOf(least) > severityOf(most) ? most : least, most }
}

/** A saved choice stays visible although no alert names that service any more. */
function withChosen(services: readonly string[], chosen: string | undefined): string[] {
  return chosen && !services.includes(chosen) ? [chosen, ...services] : [...services]
}

const TYPING_PAUSE = 500

type DayProps = {
  label: string
  value: CalendarDay | undefined
  errorOf(typed: string): string | undefined
  onChange(day: CalendarDay | undefined): void
}

/** A day that is typed: what is no day is told, and changes nothing. */
function DayField({ label, value, errorOf, onChange }: DayProps) {
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
