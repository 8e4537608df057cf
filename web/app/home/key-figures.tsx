import { Paper } from '@mantine/core'
import type { ReactNode } from 'react'
import { usedPercentageColor } from '#contract/entitlements/bar-color.ts'
import type { AccountHome, HomeElasticUse } from '#contract/home/account-home.ts'
import { addDays } from '#domain/calendar/calendar-day.ts'
import { USUAL_WINDOW } from '#domain/elastic/balances/run-out.ts'
import { ENDING_STEPS } from '#domain/home/ending.ts'
import { DENIAL_DAYS } from '#domain/home/work-list.ts'
import { compare, formatDecimal, subtract } from '#domain/money/decimal.ts'
import { type Amount, amountsOf } from '#web/app/home/amounts.ts'
import { endingCounts } from '#web/app/home/ending.tsx'
import { deniedBetween, seatDenialsBetween, webDeniedBetween } from '#web/app/home/home-links.ts'
import { Sparkline } from '#web/app/home/sparkline.tsx'
import { PortalLink } from '#web/lib/address/portal-link.tsx'
import { countText } from '#web/lib/format.ts'
import classes from './home.module.css'

type Props = { home: AccountHome; screens: ReadonlySet<string> }

/** The four numbers that people come for. */
export function KeyFigures(props: Props) {
  return (
    <div className={classes.tiles}>
      <ElasticTile {...props} />
      <SpendingTile {...props} />
      <EndingTile {...props} />
      <DeniedTile {...props} />
    </div>
  )
}

type TileProps = {
  label: string
  to: string
  figure: string
  unit: string
  /** What it means, in a line each. */
  children?: ReactNode
}

/** The whole tile is the link; numbers of its lines may have their own. */
function Tile({ label, to, figure, unit, children }: TileProps) {
  return (
    <Paper component="section" aria-label={label} className={classes.tile}>
      <PortalLink to={to} className={classes.whole}>
        <span className={classes.label}>{label}</span>
        <span>
          <span className={classes.figure}>{figure}</span> <span className={classes.label}>{unit}</span>
        </span>
      </PortalLink>
      {children}
    </Paper>
  )
}

function Line({ signal, children }: { signal?: 'red' | 'orange' | undefined; children: ReactNode }) {
  return (
    <span className={classes.line} data-signal={signal}>
      {signal && <i className={classes.dot} aria-hidden />}
      {children}
    </span>
  )
}

function ElasticTile({ home, screens }: Props) {
  const { elasticBalances, elasticUse, budgets } = home
  if (!elasticBalances || !screens.has('elastic')) return null
  const [main, ...others] = amountsOf(elasticBalances)
  const use = (currency: string | undefined) => elasticUse?.find((one) => one.currency === currency)
  const over = budgets?.over[0]
  return (
    <Tile
      label="Elastic"
      to="/elastic"
      figure={wholeText(main?.left ?? '0')}
      unit={main ? `${main.currency} left` : 'units left'}
    >
      {main && <Units amount={main} use={use(main.currency)} />}
      {others.map((amount) => (
        <Units key={amount.currency} amount={amount} use={use(amount.currency)} isNamed />
      ))}
      {over ? (
        <Line signal="red">
          Over budget: {over.name} by {formatDecimal(subtract(over.spent, over.amount), 2)} {over.currency}
        </Line>
      ) : (
        budgets && <Line>Within budget this month</Line>
      )}
      <Sparkline values={(use(main?.currency)?.days ?? []).map(Number)} />
    </Tile>
  )
}

type UnitsProps = { amount: Amount; use: HomeElasticUse | undefined; isNamed?: boolean }

/** How long units last, or by how much they are overdrawn. */
function Units({ amount, use, isNamed = false }: UnitsProps) {
  const name = isNamed ? `${wholeText(amount.left)} ${amount.currency} ` : ''
  if (compare(amount.overdrawn, 0) > 0)
    return (
      <Line signal="red">
        {name}Overdrawn by {formatDecimal(amount.overdrawn, 2)} {amount.currency}
      </Line>
    )
  if (compare(amount.left, 0) <= 0) return <Line signal="red">{name}Used up</Line>
  return (
    <Line>
      {name}
      {isNamed ? (use?.end.on ? `until ${use.end.on}` : 'left') : use && lastsText(use.end)}
    </Line>
  )
}

function lastsText({ outcome, on }: HomeElasticUse['end']): string {
  if (outcome === 'runs out' || outcome === 'not used up') return on ? `Lasts until ${on}` : 'Lasts'
  return `Not used in ${USUAL_WINDOW} days`
}

/** Other currencies that a tile has room for. */
const OTHERS = 2

function SpendingTile({ home: { contractBalances }, screens }: Props) {
  if (!contractBalances || !screens.has('entitlementsFSA')) return null
  const [main, ...others] = amountsOf(contractBalances)
  return (
    <Tile
      label="Spending"
      to="/entitlementsFSA"
      figure={wholeText(main?.left ?? '0')}
      unit={main ? `${main.currency} left` : 'left'}
    >
      {main ? (
        <Line signal={usedSignal(main)}>{main.usedPercent} % used</Line>
      ) : (
        <Line>No spending account is valid today</Line>
      )}
      {others.slice(0, OTHERS).map((amount) => (
        <Line key={amount.currency} signal={usedSignal(amount)}>
          {wholeText(amount.left)} {amount.currency} · {amount.usedPercent} % used
        </Line>
      ))}
      {others.length > OTHERS && <Line>and {others.length - OTHERS} more</Line>}
    </Tile>
  )
}

function EndingTile({ home, screens }: Props) {
  const [step] = ENDING_STEPS
  const [main, ...others] = endingCounts(home, screens, step)
  if (!main) return null
  return (
    <Tile label={`Ends in ${step} days`} to={main.to} figure={countText(main.count)} unit={main.noun}>
      {main.id === 'leases' && (
        <Line>{main.withSeats === 0 ? 'None' : countText(main.withSeats)} with activated seats</Line>
      )}
      <MoreLinks items={others} />
    </Tile>
  )
}

function DeniedTile({ home, screens }: Props) {
  const { denials, webDenials, seatDenials, today } = home
  const from = addDays(today, 1 - DENIAL_DAYS)
  const all: readonly { screen: string; count: number | undefined | null; one: string; to: string }[] = [
    { screen: 'elastic-denials', count: denials?.count, one: 'session start', to: deniedBetween(from, today) },
    { screen: 'web-reporting', count: webDenials?.count, one: 'web checkout', to: webDeniedBetween(from, today) },
    { screen: 'license-use', count: seatDenials, one: 'server seat', to: seatDenialsBetween(from, today) },
  ]
  const [main, ...others] = all.flatMap(({ screen, count, one, to }) =>
    typeof count === 'number' && screens.has(screen)
      ? [{ id: screen, count, noun: count === 1 ? one : `${one}s`, to }]
      : [],
  )
  if (!main) return null
  return (
    <Tile label={`Denied in ${DENIAL_DAYS} days`} to={main.to} figure={countText(main.count)} unit={main.noun}>
      <MoreLinks items={others} />
    </Tile>
  )
}

function MoreLinks({ items }: { items: readonly { id: string; count: number; noun: string; to: string }[] }) {
  return items
    .filter(({ count }) => count > 0)
    .map(({ id, count, noun, to }) => (
      <PortalLink key={id} to={to} className={classes.line}>
        {countText(count)} {noun}
      </PortalLink>
    ))
}

/** Whole units: the exact amounts are with the balances below. Rounded down, because nobody has more than is left. */
const wholeText = (amount: string) => formatDecimal(amount.replace(/\..*/, ''), 0)

/** In the colors of its bar, where it has a meaning. */
function usedSignal({ usedPercent }: Amount): 'red' | 'orange' | undefined {
  const color = usedPercentageColor(usedPercent)
  return color === 'green' ? undefined : color
}
