import { Anchor, Button, Paper, Text, Title } from '@mantine/core'
import { daysLeftColor, usedPercentageColor } from '#contract/entitlements/bar-color.ts'
import type { AccountHome, HomeBalance, HomeElasticBalance } from '#contract/home/account-home.ts'
import type { CalendarDay } from '#domain/calendar/calendar-day.ts'
import { USUAL_WINDOW } from '#domain/elastic/balances/run-out.ts'
import { daysLeft } from '#domain/entitlements/term.ts'
import { usedPercentage } from '#domain/entitlements/used-percentage.ts'
import { compare, formatDecimal, subtract } from '#domain/money/decimal.ts'
import { oneBalance, orderFrom } from '#web/app/home/home-links.ts'
import { PortalLink } from '#web/lib/address/portal-link.tsx'
import { useCan } from '#web/lib/customer.tsx'
import { ProgressBar } from '#web/ui/progress-bar.tsx'
import classes from './home.module.css'

/** Number of balances of a kind that are shown; the screen behind the card has them all. */
const SHOWN = 2

type Screen = 'elastic' | 'entitlementsFSA'
type Shown = HomeBalance & Partial<Pick<HomeElasticBalance, 'runOut' | 'purchaseOrder'>>

/** What is left of the elastic units and the spending accounts that are valid today. */
export function Balances({ home, screens }: { home: AccountHome; screens: ReadonlySet<string> }) {
  const { elasticBalances, contractBalances, today } = home
  const parts: readonly (readonly [Screen, string, readonly Shown[] | null, string])[] = [
    ['elastic', 'Elastic balances', elasticBalances, 'No elastic entitlement is valid today.'],
    ['entitlementsFSA', 'Flexible Spending Account', contractBalances, 'No spending account is valid today.'],
  ]
  const shown = parts.flatMap(([screen, title, balances, nothing]) =>
    balances && screens.has(screen) ? [{ screen, title, balances: usefulFirst(balances), nothing }] : [],
  )
  if (shown.length === 0) return null
  return (
    <Paper p="1rem" className={`${classes.balances} ${classes.scrolls}`}>
      {shown.map(({ screen, title, balances, nothing }) => (
        <section key={screen} aria-label={title}>
          <div className={classes.head}>
            <Title order={2}>{title}</Title>
            {balances.length > SHOWN && (
              <Anchor
                component={PortalLink}
                to={`/${screen}`}
                fz="sm"
                aria-label={`Show all ${balances.length}: ${title}`}
              >
                Show all {balances.length}
              </Anchor>
            )}
          </div>
          {balances.length === 0 ? (
            <Text c="dimmed">{nothing}</Text>
          ) : (
            <ul className={classes.list}>
              {balances.slice(0, SHOWN).map((balance) => (
                <Balance key={balance.id} balance={balance} screen={screen} today={today} />
              ))}
            </ul>
          )}
        </section>
      ))}
    </Paper>
  )
}

/** What can still be used comes before what is used up. */
const usefulFirst = (balances: readonly Shown[]) =>
  balances.toSorted((one, other) => Number(other.isActive) - Number(one.isActive))

function Balance({ balance, screen, today }: { balance: Shown; screen: Screen; today: CalendarDay }) {
  const { id, purchaseOrder, total, remaining, currency, isActive } = balance
  const canOrder = useCan('fsa.order') && screen === 'entitlementsFSA' && isActive
  const percent = usedPercentage(subtract(total, remaining), total)
  return (
    <li className={classes.balance}>
      <Anchor component={PortalLink} to={oneBalance(screen, id, isActive)} inherit title={id}>
        {purchaseOrder || id}
      </Anchor>
      <span className="figures">
        {/* The balance with its sign, as in statements. */}
        {formatDecimal(remaining, 2)} {currency} {compare(remaining, 0) < 0 ? 'overdrawn' : 'left'}
      </span>
      <ProgressBar percent={percent} color={usedPercentageColor(percent)}>
        {percent} %
      </ProgressBar>
      <span className={classes.dates}>
        <EndText balance={balance} today={today} />
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
      </span>
    </li>
  )
}

/** When units run out, or else when it ends. */
function EndText({ balance: { endDate, runOut }, today }: { balance: Shown; today: CalendarDay }) {
  const day = runOut?.on ?? endDate
  if (day === null) return null
  return (
    <span className={classes.end} data-signal={signalOf(daysLeftColor(daysLeft(day, today)))}>
      {runOut?.on ? <span title={METHOD}>Runs out {day}</span> : `Ends ${day}`}
    </span>
  )
}

const signalOf = (color: ReturnType<typeof daysLeftColor>) => (color === 'green' ? 'none' : color)
const METHOD = `At the average of the last ${USUAL_WINDOW} days`
