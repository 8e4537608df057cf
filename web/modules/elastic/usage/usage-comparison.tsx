import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { Sum } from '#contract/kit/list.ts'
import { periodBefore } from '#domain/calendar/period-before.ts'
import { changeText } from '#domain/elastic/statements/usage-change.ts'
import type { FilterInput } from '#domain/filter/filter.ts'
import { failureText } from '#web/lib/api/api-error.ts'
import { useKnownCustomer } from '#web/lib/customer.tsx'
import { SESSION_FIELDS, type usageSource } from '#web/modules/elastic/usage/usage.api.ts'
import { usageDemands } from '#web/parts/usage-period/usage-period.ts'
import type { UsageChoiceState } from '#web/parts/usage-period/use-usage-choice.ts'
import { sumQuery } from '#web/table/list/list-queries.ts'

type Props = {
  source: ReturnType<typeof usageSource>
  /** The criteria of the choice, and those of the columns after them. */
  filter: FilterInput
  choice: UsageChoiceState
  sums: readonly Sum[]
}

/** How hours and cost of what the table shows differ from those of the period before, in a line above it. */
export function UsageComparison({ source, filter, choice, sums }: Props) {
  const { info } = useKnownCustomer()
  const before: UsageChoiceState = { ...choice, period: { range: periodBefore(choice.days) } }
  const ofColumns = filter.criteria.slice(usageDemands(SESSION_FIELDS, choice, info).length)
  const criteria = [...usageDemands(SESSION_FIELDS, before, info), ...ofColumns]
  const { data, error } = useQuery(sumQuery(source, { ...filter, criteria }))
  return (
    <Text size="sm" px="md" pb="xs" role="status">
      {error ? failureText(error) : data ? textOf(sums, data) : '…'}
    </Text>
  )
}

/** Costs in different currencies cannot be added. */
function textOf(now: readonly Sum[], before: readonly Sum[]): string {
  const currencies = [...new Set([...now, ...before].map(({ by }) => by))]
  const amount = (sums: readonly Sum[], currency: string | null, field: string) =>
    sums.find(({ by }) => by === currency)?.sums[field] ?? '0'
  const changes = currencies.map((currency) => {
    const change = (field: string) => changeText(amount(now, currency, field), amount(before, currency, field))
    return `${currency ?? ''}: cost ${change('Charge') || 'the same'}, hours ${change('Hours') || 'the same'}`
  })
  return changes.length === 0 ? 'Nothing was used in either period.' : changes.join(' · ')
}
