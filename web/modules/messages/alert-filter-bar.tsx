import { Group, NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { ALERT_CATEGORIES, ALERT_LABELS, type AlertCategory, severityOf } from '#domain/messages/alerts.ts'
import { type AlertChoice, dayError, STATUS_CHOICES, type StatusChoice } from '#web/modules/messages/alert-choice.ts'
import { alertServicesQuery } from '#web/modules/messages/alerts.api.ts'
import { DayField } from '#web/modules/messages/day-field.tsx'
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
