import { Text, Title } from '@mantine/core'
import { FORECAST_METHOD, type WindowForecast } from '#domain/elastic/balances/run-out.ts'
import { formatDecimal } from '#domain/money/decimal.ts'
import { Facts } from '#web/ui/facts.tsx'

type Props = { currency: string; windows: readonly WindowForecast[] }

/** When one balance is used up, at the rate of each window. */
export function RunOutFacts({ currency, windows }: Props) {
  return (
    <section aria-label="Run-out forecast">
      <Title order={3} mt="md" mb={6}>
        Run-out forecast
      </Title>
      <Facts facts={windows.map((one) => [`By the last ${one.window} days`, factText(one, currency)])} />
      <Text size="xs" c="dimmed" mt={6} maw="48rem">
        {FORECAST_METHOD}
      </Text>
    </section>
  )
}

function factText({ window, averagedDays, perDay, runOut }: WindowForecast, currency: string): string {
  const shorter = averagedDays < window ? `, average of ${averagedDays} ${averagedDays === 1 ? 'day' : 'days'}` : ''
  const rate = `${formatDecimal(perDay, 2)} ${currency} a day${shorter}`
  switch (runOut.kind) {
    case 'runs out':
      return `Used up on ${runOut.on} (${rate})`
    case 'not used up':
      return `Not used up: ${formatDecimal(runOut.unused, 2)} ${currency} left at the end (${rate})`
    case 'no usage':
      return 'No usage'
    case 'used up':
      return 'Used up'
  }
}
