import { Group, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { AccountHome as Attention } from '#contract/home/account-home.ts'
import { countEndingWithin, ENDING_STEPS } from '#domain/home/ending.ts'
import { AccountLinks } from '#web/app/customer/account-links.tsx'
import { usePortfolio } from '#web/app/customer/portfolio.ts'
import { AccountFacts } from '#web/app/home/account-facts.tsx'
import { accountLimits } from '#web/app/home/account-limits.ts'
import { type AttentionItem, attentionItems } from '#web/app/home/attention-items.ts'
import { BalanceCard } from '#web/app/home/balance-card.tsx'
import { EndingCard } from '#web/app/home/ending-card.tsx'
import { accountHomeQuery } from '#web/app/home/home.api.ts'
import { NoLicenses } from '#web/app/home/no-licenses.tsx'
import { UsageCard } from '#web/app/home/usage-card.tsx'
import { WorkList } from '#web/app/home/work-list.tsx'
import { useMenu } from '#web/app/menu/use-menu.ts'
import { PortalLink } from '#web/lib/address/portal-link.tsx'
import type { KnownCustomer } from '#web/lib/customer.tsx'
import { countText } from '#web/lib/format.ts'
import { useSignedIn } from '#web/lib/sign-in/signed-in.tsx'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { FailureNotice } from '#web/ui/failure-notice.tsx'
import { PageHead } from '#web/ui/page-head.tsx'
import { SignalStrip } from '#web/ui/signal-strip.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import tileClasses from './attention-tiles.module.css'
import classes from './home.module.css'

/** What needs attention on an account. */
export function AccountHome({ customer }: { customer: KnownCustomer }) {
  const portfolio = usePortfolio()
  const screens = useVisibleScreens()
  const { data: home, error, isPending, refetch } = useQuery(accountHomeQuery(customer.number))
  return (
    <>
      <PageHead title={customer.name} context={<AccountNumber number={customer.number} />} />
      <Stack gap="1rem">
        <Limits customer={customer} />
        {!hasLicenses(customer) && <NoLicenses customer={customer} />}
        {/* Facts are shown together with what is above them, which would otherwise push them down. */}
        {isPending ? (
          <Skeleton />
        ) : (
          <>
            {home && <AccountAttention customer={customer} home={home} screens={screens} />}
            {error && <FailureNotice failure={error} onRetry={() => void refetch()} />}
            <div className={classes.pair}>
              <AccountFacts customer={customer} screens={screens} />
              {portfolio.state === 'many' && <AccountLinks path="/home" />}
            </div>
          </>
        )}
      </Stack>
    </>
  )
}

function AccountNumber({ number }: { number: string }) {
  return (
    <Group gap={4}>
      <span className={classes.number}>{number}</span>
      <CopyButton value={number} what="account ID" />
    </Group>
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

type AttentionProps = { customer: KnownCustomer; home: Attention; screens: ReadonlySet<string> }

function AccountAttention({ customer, home, screens }: AttentionProps) {
  const items = attentionItems(home, screens)
  return (
    <>
      {hasLicenses(customer) && home.matters.length + home.hiddenMatters.length === 0 && isQuiet(home, items) && (
        <SignalStrip signal="green" role="status">
          Nothing needs your attention on this account today.
        </SignalStrip>
      )}
      <WorkList home={home} screens={screens} />
      <AttentionTiles items={items} />
      <EndingCard home={home} screens={screens} />
      <div className={classes.pair}>
        {screens.has('elastic') && home.elasticBalances && (
          <>
            <BalanceCard kind="elastic" today={home.today} balances={home.elasticBalances} />
            <UsageCard hasReport={screens.has('transactions')} />
          </>
        )}
        {screens.has('entitlementsFSA') && home.contractBalances && (
          <BalanceCard kind="contracts" today={home.today} balances={home.contractBalances} />
        )}
      </div>
    </>
  )
}

const hasLicenses = ({ standing }: KnownCustomer) => Object.values(standing.holdings).some(Boolean)

/** The paths of the screens in this person's menu. */
function useVisibleScreens(): ReadonlySet<string> {
  return new Set(useMenu().flatMap(({ entries }) => entries.map(({ path }) => path)))
}

function isQuiet({ ending, today, ...home }: Attention, items: readonly AttentionItem[]): boolean {
  const soon = Object.values(ending).map((days) => countEndingWithin(days ?? [], ENDING_STEPS[0], today))
  const balances = [...(home.elasticBalances ?? []), ...(home.contractBalances ?? [])]
  return (
    items.every(({ isNews, count }) => isNews || count === 0) &&
    soon.every((count) => count === 0) &&
    balances.every(({ isActive }) => isActive)
  )
}

/** Numbers that lead to their rows. */
function AttentionTiles({ items }: { items: readonly AttentionItem[] }) {
  if (items.length === 0) return null
  return (
    <ul className={tileClasses.tiles} aria-label="What needs attention">
      {items.map(({ label, labelOfOne = label, count, to, signal }) => (
        <li key={label}>
          <PortalLink to={to} className={tileClasses.tile} data-signal={count > 0 ? signal : undefined}>
            <span className={tileClasses.count}>{countText(count)}</span>
            <span className={tileClasses.label}>{count === 1 ? labelOfOne : label}</span>
          </PortalLink>
        </li>
      ))}
    </ul>
  )
}
