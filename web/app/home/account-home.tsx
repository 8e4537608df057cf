import { Anchor, Button, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { AccountHome as Home } from '#contract/home/account-home.ts'
import { AccountFacts } from '#web/app/home/account-facts.tsx'
import { accountLimits } from '#web/app/home/account-limits.ts'
import { Balances } from '#web/app/home/balances.tsx'
import { Ending } from '#web/app/home/ending.tsx'
import { accountHomeQuery } from '#web/app/home/home.api.ts'
import { financeReport, openAlerts, runningCheckouts, runningSessions } from '#web/app/home/home-links.ts'
import { HomeSkeleton } from '#web/app/home/home-skeleton.tsx'
import { KeyFigures } from '#web/app/home/key-figures.tsx'
import { NoLicenses } from '#web/app/home/no-licenses.tsx'
import { WorkList } from '#web/app/home/work-list.tsx'
import { useMenu } from '#web/app/menu/use-menu.ts'
import { PortalLink } from '#web/lib/address/portal-link.tsx'
import type { KnownCustomer } from '#web/lib/customer.tsx'
import { countOf } from '#web/lib/format.ts'
import { useSignedIn } from '#web/lib/sign-in/signed-in.tsx'
import { offerText } from '#web/parts/waiting/seat-notices.ts'
import { FailureNotice } from '#web/ui/failure-notice.tsx'
import { PageHead } from '#web/ui/page-head.tsx'
import { SignalStrip } from '#web/ui/signal-strip.tsx'
import classes from './home.module.css'

/** What needs attention on an account, in one window. */
export function AccountHome({ customer }: { customer: KnownCustomer }) {
  const screens = useVisibleScreens()
  const { data: home, error, isPending, refetch } = useQuery(accountHomeQuery(customer.number))
  const hasLicenses = Object.values(customer.standing.holdings).some(Boolean)
  return (
    <>
      <PageHead
        title={customer.name}
        context={
          <div className={classes.context}>
            <span className={classes.number}>
              {customer.number}
              <AccountFacts customer={customer} screens={screens} />
            </span>
            {home && <Now home={home} screens={screens} />}
          </div>
        }
        actions={
          screens.has('transactions') && (
            <Button variant="default" component={PortalLink} to={financeReport()}>
              Report for finance
            </Button>
          )
        }
      />
      <Stack gap="1rem">
        <Limits customer={customer} />
        {!hasLicenses && <NoLicenses customer={customer} />}
        {isPending && hasLicenses && <HomeSkeleton />}
        {home && (
          <>
            <SeatOffers offers={home.seatOffers ?? []} />
            <KeyFigures home={home} screens={screens} />
            <div className={classes.columns}>
              {(hasLicenses || home.matters.length > 0) && <WorkList home={home} screens={screens} />}
              <Ending home={home} screens={screens} />
              <Balances home={home} screens={screens} />
            </div>
          </>
        )}
        {error && <FailureNotice failure={error} onRetry={() => void refetch()} />}
      </Stack>
    </>
  )
}

/** Seats that somebody else gets if the person does not check out soon. */
function SeatOffers({ offers }: { offers: NonNullable<Home['seatOffers']> }) {
  return offers.map((offer) => (
    <SignalStrip key={`${offer.feature} ${offer.serverName}`} signal="green" role="status">
      {offerText(offer)}{' '}
      <Anchor component={PortalLink} to="/license-use" inherit underline="always">
        See the line
      </Anchor>
    </SignalStrip>
  ))
}

/** What is going on: news that need no action. */
function Now({ home, screens }: { home: Home; screens: ReadonlySet<string> }) {
  const { runningSessions: sessions, runningCheckouts: checkouts, openAlerts: alerts } = home
  const news: readonly (readonly [screen: string, count: number | null, text: string, to: string])[] = [
    ['transactions', sessions, `${countOf(sessions ?? 0, 'session')} running`, runningSessions()],
    ['web-transactions', checkouts, `${countOf(checkouts ?? 0, 'web checkout')} running`, runningCheckouts()],
    ['notifications', alerts, countOf(alerts, 'open alert'), openAlerts()],
  ]
  return news.map(
    ([screen, count, text, to]) =>
      count !== null &&
      count > 0 &&
      screens.has(screen) && (
        <Anchor key={screen} component={PortalLink} to={to} c="inherit" inherit>
          {text}
        </Anchor>
      ),
  )
}

/** Says why screens are missing. */
function Limits({ customer: { standing } }: { customer: KnownCustomer }) {
  const { actor } = useSignedIn()
  const limits = accountLimits(actor, standing)
  if (limits.length === 0) return null
  return (
    <SignalStrip signal="blue">
      <ul className={classes.limits}>
        {limits.map((limit) => (
          <li key={limit}>{limit}</li>
        ))}
      </ul>
    </SignalStrip>
  )
}

/** The paths of the screens in this person's menu. */
function useVisibleScreens(): ReadonlySet<string> {
  return new Set(useMenu().flatMap(({ entries }) => entries.map(({ path }) => path)))
}
