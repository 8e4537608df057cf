import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import type { HomeMatter } from '#contract/home/account-home.ts'
import type { CalendarDay } from '#domain/calendar/calendar-day.ts'
import { ENDS_SOON, type MatterGroup } from '#domain/home/work-list.ts'
import { rowsOf } from '#web/app/home/home-links.ts'
import { groupTexts } from '#web/app/home/matter-texts.ts'
import { PortalLink } from '#web/lib/address/portal-link.tsx'
import { useCan } from '#web/lib/customer.tsx'
import { countOf, countText } from '#web/lib/format.ts'
import { REGENERATE_ALL, RENEW_ALL } from '#web/modules/activations/activations.actions.tsx'
import { AddUsername, AllowAddress, ResetPinLock } from '#web/modules/elastic/sessions/denial-fix.tsx'
import { CheckoutFix } from '#web/modules/web-licenses/checkouts/checkout-fix.tsx'
import { ASSIGN_ALL } from '#web/modules/web-licenses/web-licenses.actions.tsx'
import { Ask } from '#web/parts/order-or-ask.tsx'
import { ActionButton } from '#web/ui/actions/action-button.tsx'

type Props = { matter: HomeMatter; today: CalendarDay; screens: ReadonlySet<string> }

/** What settles a matter: a prepared confirmation, a prepared email, or nothing but its rows. */
export function MatterAction({ matter, today, screens }: Props): ReactNode {
  const { kind, subject, server, user, users, count } = matter
  const mayOrder = useCan('fsa.order')
  switch (kind) {
    case 'LEASES_END':
      return (
        <ActionButton action={RENEW_ALL} thing={{ days: ENDS_SOON, today }} size="compact-sm" variant="default">
          Renew
        </ActionButton>
      )
    case 'FILES_OUT_OF_DATE':
      return (
        <ActionButton action={REGENERATE_ALL} thing={undefined} size="compact-sm" variant="default">
          {count === 1 ? 'Regenerate' : REGENERATE_ALL.button}
        </ActionButton>
      )
    case 'ADDRESS_DENIED':
      return <AllowAddress denied={{ server, subject }} />
    case 'USER_DENIED':
      return <AddUsername denied={{ server, subject }} />
    case 'ADDRESS_LOCKED':
      return <ResetPinLock denied={{ server, subject }} />
    case 'UNITS_USED_UP':
    case 'UNITS_ENDED':
    case 'UNITS_RUN_OUT':
    case 'ELASTIC_ENDS':
      // A spending account sells seats for license servers, neither units nor web licenses.
      return <Ask about="elastic units" />
    case 'CHECKOUT_DENIED':
    case 'CHECKOUT_UNASSIGNED':
    case 'CHECKOUT_EXPIRED':
      return (
        <CheckoutFix
          reason={CHECKOUT_REASONS[kind]}
          product={subject}
          user={user}
          users={users}
          denials={`${countText(count)} in the last 7 days, of ${countOf(users, 'user')}`}
        />
      )
    case 'LIMIT_REACHED':
    case 'LIMIT_NEAR':
      return <LinkButton to="/limits">Raise the limit</LinkButton>
    case 'DOMAINS_FAILING':
      return <LinkButton to="/sign-in-provider">See the record</LinkButton>
    case 'REQUESTS_WAIT':
      return <LinkButton to="/requests">Decide</LinkButton>
    case 'ACCESS_UNDECIDED':
      return <LinkButton to="/access-review">Review</LinkButton>
    case 'REVIEW_UNFINISHED':
      return <LinkButton to="/access-review">Finish</LinkButton>
    case 'WEB_LICENSES_END':
      return <Ask about="a renewal of web licenses" />
    case 'CONTRACTS_END':
      return mayOrder && <LinkButton to="/entitlementsFSA?tab=order">Order</LinkButton>
    case 'SEATS_DENIED':
      return screens.has('planner') && <LinkButton to="/planner">Plan seats</LinkButton>
    case 'SERVERS_SILENT':
    case 'MAINTENANCE_ENDED':
    case 'EMAILS_UNDELIVERED':
    case 'PRODUCT_DENIED':
    case 'PIN_DENIED':
    case 'LOCK_ENDED':
      // The text leads to the rows.
      return null
  }
}

const CHECKOUT_REASONS = {
  CHECKOUT_DENIED: 'NO_SEAT',
  CHECKOUT_UNASSIGNED: 'USER_NOT_ASSIGNED',
  CHECKOUT_EXPIRED: 'ENTITLEMENT_EXPIRED',
} as const

type GroupProps = { group: MatterGroup<HomeMatter>; today: CalendarDay; screens: ReadonlySet<string> }

/** The one act for all matters of a group. */
export function GroupAction({ group, today, screens }: GroupProps): ReactNode {
  const { kind } = group.matters[0]
  switch (kind) {
    case 'SEATS_DENIED':
    case 'UNITS_RUN_OUT':
      return <MatterAction matter={group.matters[0]} today={today} screens={screens} />
    case 'CHECKOUT_UNASSIGNED':
      return (
        <ActionButton
          action={ASSIGN_ALL}
          thing={group.matters.map(({ subject, user }) => ({ product: subject, user }))}
          size="compact-sm"
          variant="default"
        />
      )
    case 'CHECKOUT_EXPIRED':
      return (
        <Ask
          about={`a renewal of the web licenses of ${countOf(group.matters.length, 'product')}`}
          request="Please renew our web licenses of these products."
          facts={group.matters.map(({ subject, users }) => `${subject}, for ${countOf(users, 'user')} at least`)}
        />
      )
    default:
      return (
        <LinkButton to={rowsOf({ kind, subject: '', user: '' }, today) ?? ''} label={`Show: ${groupTexts(group).text}`}>
          Show
        </LinkButton>
      )
  }
}

function LinkButton({ to, label, children }: { to: string; label?: string; children: ReactNode }) {
  return (
    <Button size="compact-sm" variant="default" component={PortalLink} to={to} aria-label={label}>
      {children}
    </Button>
  )
}
