import { Anchor, Button, Group, Paper, Text, Title } from '@mantine/core'
import { daysLeftColor, usedPercentageColor } from '#contract/entitlements/bar-color.ts'
import type { HomeBalance, HomeElasticBalance } from '#contract/home/account-home.ts'
import type { CalendarDay } from '#domain/calendar/calendar-day.ts'
import { USUAL_WINDOW } from '#domain/elastic/balances/run-out.ts'
import { daysLeft } from '#domain/entitlements/term.ts'
import { usedPercentage } from '#domain/entitlements/used-percentage.ts'
import { compare, formatDecimal, subtract } from '#domain/money/decimal.ts'
import { oneBalance, orderFrom } from '#web/app/home/home-links.ts'
import { PortalLink } from '#web/lib/address/portal-link.tsx'
import { useCan } from '#web/lib/customer.tsx'
import { ProgressBar } from '#web/ui/progress-bar.tsx'
import classes from './balance-card.module.css'

const KINDS = {
  elastic: {
    title: 'Elastic balances',
    screen: 'elastic',
    nothing: 'No elastic entitlement is valid today.',
  },
  contracts: {
    title: 'Flexible Spending Account',
    screen: 'entitlementsFSA',
    nothing: 'No spending account is valid today.',
  },
} as const

/** Number of balances shown; the screen behind the card has them all. */
const SHOWN = 5

/** Only elastic units have a forecast. */
type ShownBalance = HomeBalance & Partial<Pick<HomeElasticBalance, 'runOut'>>

type Props = { kind: keyof typeof KINDS; today: CalendarDay; balances: readonly ShownBalance[] }

/** What is left of elastic units or of contracts that are valid today. */
export function BalanceCard({ kind, today, balances }: Props) {
  const { title, screen, nothing } = KINDS[kind]
  return (
    <Paper p="1rem">
      <Title order={2} mb="0.75rem">
        {title}
      </Title>
      {balances.length === 0 ? (
        <Text c="dimmed">{nothing}</Text>
      ) : (
        <ul className={classes.balances}>
          {balances.slice(0, SHOWN).map((balance) => (
            <li key={balance.id}>
              <Balance balance={balance} screen={screen} today={today} />
            </li>
          ))}
        </ul>
      )}
      {balances.length > SHOWN && (
        <Anchor component={PortalLink} to={`/${screen}`} display="inline-block" mt="0.75rem">
          Show all entitlements
        </Anchor>
      )}
    </Paper>
  )
}

type BalanceProps = { balance: ShownBalance; screen: 'elastic' | 'entitlementsFSA'; today: CalendarDay }

function Balance({ balance, screen, today }: BalanceProps) {
  const { id, product, total, remaining, currency, isActive } = balance
  const canOrder = useCan('fsa.order') && screen === 'entitlementsFSA' && isActive
  const percent = usedPercentage(subtract(total, remaining), total)
  return (
    <>
      <Group gap="0 1rem" justify="space-between" align="normal">
        <Anchor component={PortalLink} to={oneBalance(screen, id, isActive)} className={classes.name}>
          {product}
          <span className={classes.id}>{id}</span>
        </Anchor>
        <span className={classes.left} data-over={!isActive || undefined}>
          {leftText(remaining, currency)}
        </span>
      </Group>
      <ProgressBar percent={percent} color={usedPercentageColor(percent)}>
        {percent} % of {formatDecimal(total, 2)} used
      </ProgressBar>
      <Group gap="0 1rem" justify="space-between">
        <Dates balance={balance} today={today} />
        {canOrder && (
          <Button
            size="compact-xs"
            variant="default"
            component={PortalLink}
            to={orderFrom(id)}
            aria-label={`Order from ${id}`}
          >
            Order
          </Button>
        )}
      </Group>
    </>
  )
}

/** The balance with its sign, as in statements. */
const leftText = (remaining: string, currency: string): string =>
  `${formatDecimal(remaining, 2)} ${currency} ${compare(remaining, 0) < 0 ? 'overdrawn' : 'left'}`

/** When it ends, and when units run out before that. */
function Dates({ balance: { endDate, runOut }, today }: { balance: ShownBalance; today: CalendarDay }) {
  return (
    <span className={classes.dates}>
      {endDate && <span data-color={daysLeftColor(daysLeft(endDate, today))}>Ends on {endDate}</span>}
      {runOut?.on && (
        <span data-color={daysLeftColor(daysLeft(runOut.on, today))} title={METHOD}>
          Runs out on {runOut.on}
        </span>
      )}
      {runOut && runOut.outcome in LASTING && <span title={METHOD}>{LASTING[runOut.outcome as Lasting]}</span>}
    </span>
  )
}

const METHOD = `At the average of the last ${USUAL_WINDOW} days`
const LASTING = { 'not used up': 'Lasts until it ends', 'no usage': `Not used in ${USUAL_WINDOW} days` } as const
type Lasting = keyof typeof LASTING
