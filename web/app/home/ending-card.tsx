import { Anchor, Paper, Text, Title, VisuallyHidden } from '@mantine/core'
import { daysLeftColor } from '#contract/entitlements/bar-color.ts'
import type { AccountHome } from '#contract/home/account-home.ts'
import type { CalendarDay } from '#domain/calendar/calendar-day.ts'
import { daysLeft } from '#domain/entitlements/term.ts'
import {
  countEndingWithin,
  ENDING_STEPS,
  type EndingDay,
  type EndingStretch,
  endingStretches,
  MAX_STEP,
} from '#domain/home/ending.ts'
import { type EndingKind, endingBetween, endingScreen, endingWithin } from '#web/app/home/home-links.ts'
import { PortalLink } from '#web/lib/address/portal-link.tsx'
import { countText, monthDayText } from '#web/lib/format.ts'
import { leasesEndText } from '#web/ui/entitlement/leases-end-text.ts'
import classes from './ending-card.module.css'

type Kind = { id: EndingKind; name: string; one: string; many: string; days: readonly EndingDay[] }

/** What ends within 90 days, as a strip of the calendar and as numbers. */
export function EndingCard({ home: { ending, today }, screens }: { home: AccountHome; screens: ReadonlySet<string> }) {
  const kinds = kindsOf(ending).filter(({ id }) => screens.has(endingScreen(id)))
  if (kinds.length === 0) return null
  const isEmpty = kinds.every(({ days }) => days.length === 0)
  return (
    <Paper p="1rem">
      <Title order={2} mb="0.75rem">
        Ending soon
      </Title>
      {isEmpty ? (
        <Text c="dimmed">Nothing ends within {MAX_STEP} days.</Text>
      ) : (
        <table className={classes.calendar}>
          <thead>
            <tr>
              <th scope="col">Kind</th>
              <th scope="col" className={classes.axis}>
                <span className={classes.strip} aria-hidden>
                  {endingStretches([], today).map(({ from }) => (
                    <span key={from}>{monthDayText(from)}</span>
                  ))}
                </span>
                <VisuallyHidden>Calendar</VisuallyHidden>
              </th>
              {ENDING_STEPS.map((step) => (
                <th key={step} scope="col" className={classes.sum}>
                  {step} days
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {kinds.map((kind) => (
              <Track key={kind.id} kind={kind} today={today} />
            ))}
          </tbody>
        </table>
      )}
    </Paper>
  )
}

const KINDS: readonly Omit<Kind, 'days'>[] = [
  { id: 'leases', name: 'Leases', one: 'lease', many: 'leases' },
  { id: 'webLicenses', name: 'Web licenses', one: 'web license', many: 'web licenses' },
  { id: 'elastic', name: 'Elastic', one: 'elastic entitlement', many: 'elastic entitlements' },
  { id: 'contracts', name: 'Spending accounts', one: 'spending account', many: 'spending accounts' },
]

function kindsOf(ending: AccountHome['ending']): Kind[] {
  return KINDS.flatMap((kind) => {
    const days = ending[kind.id]
    return days ? [{ ...kind, days }] : []
  })
}

const inWords = ({ one, many }: Kind, count: number) =>
  count === 1 ? `1 ${one} ends` : `${countText(count)} ${many} end`

function Track({ kind, today }: { kind: Kind; today: CalendarDay }) {
  return (
    <tr data-empty={kind.days.length === 0 || undefined}>
      <th scope="row">{kind.name}</th>
      <td>
        <span className={classes.strip}>
          {endingStretches(kind.days, today).map((stretch) => (
            <Stretch key={stretch.from} kind={kind} stretch={stretch} today={today} />
          ))}
        </span>
      </td>
      {ENDING_STEPS.map((step) => {
        const count = countEndingWithin(kind.days, step, today)
        const withSeats = countEndingWithin(kind.days, step, today, 'withSeats')
        const when = `within ${step} days`
        const isLeases = kind.id === 'leases'
        const text = isLeases ? leasesEndText(count, withSeats, when) : `${inWords(kind, count)} ${when}`
        return (
          <td key={step} className={classes.sum} data-step={`${step} days`}>
            {count === 0 ? (
              <span className={classes.none}>0</span>
            ) : (
              <Anchor component={PortalLink} to={endingWithin(kind.id, step)} aria-label={text} title={text}>
                {countText(count)}
              </Anchor>
            )}
            {isLeases && withSeats > 0 && <span className={classes.part}>{countText(withSeats)} with seats</span>}
          </td>
        )
      })}
    </tr>
  )
}

type StretchProps = { kind: Kind; stretch: EndingStretch; today: CalendarDay }

function Stretch({ kind, stretch: { from, to, count }, today }: StretchProps) {
  // A phone shows the day as well.
  const day = monthDayText(from)
  if (count === 0) return <span className={classes.stretch} data-day={day} aria-hidden />
  const text = `${inWords(kind, count)} from ${from} to ${to}`
  return (
    <PortalLink
      to={endingBetween(kind.id, from, to)}
      className={classes.stretch}
      data-day={day}
      data-color={daysLeftColor(daysLeft(from, today))}
      aria-label={text}
      title={text}
    >
      {countText(count)}
    </PortalLink>
  )
}
