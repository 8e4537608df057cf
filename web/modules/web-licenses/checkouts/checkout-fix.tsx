import { lazy, Suspense } from 'react'
import { CHECKOUT_DENIALS, type CheckoutRefusal } from '#domain/web-licenses/checkout.ts'
import type { ActionOn } from '#web/lib/action.ts'
import { countOf } from '#web/lib/format.ts'
import { ASSIGN, MOVE_SEATS, type Wanted } from '#web/modules/web-licenses/web-licenses.actions.tsx'
import { Ask } from '#web/parts/order-or-ask.tsx'
import { ActionButton } from '#web/ui/actions/action-button.tsx'

/** Only accounts with a spending account need its price lists. */
const OrderForServer = lazy(async () => ({
  default: (await import('#web/modules/web-licenses/entitlements/order-for-server.tsx')).OrderForServer,
}))

type Props = {
  reason: CheckoutRefusal
  product: string
  /** Who was denied; of several users the one who was denied most often. */
  user: string
  users?: number
  /** How often, and since when. */
  denials: string
  isMain?: boolean
}

/** What lets the next checkout of a web license pass, each with its confirmation. */
export function CheckoutFix({ reason, product, user, users = 1, denials, isMain = false }: Props) {
  const facts = [`Denied checkouts: ${denials}`, `Reason: ${CHECKOUT_DENIALS[reason]}`]
  const seats = countOf(users, 'web seat')
  switch (reason) {
    case 'USER_NOT_ASSIGNED':
      return (
        <GiveSeat
          action={ASSIGN}
          product={product}
          user={user}
          label={`Assign ${product} to ${user}`}
          isMain={isMain}
        />
      )
    case 'NO_SEAT':
      return (
        <>
          <GiveSeat
            action={MOVE_SEATS}
            product={product}
            user={user}
            label={`Move seats of ${product}`}
            isMain={isMain}
          />
          <Ask about={`${seats} of ${product}`} facts={facts} />
          <Suspense>
            <OrderForServer product={product} seats={users} />
          </Suspense>
        </>
      )
    case 'ENTITLEMENT_EXPIRED':
      // A spending account sells seats for license servers, which would not let this checkout pass.
      return (
        <Ask
          about={`a renewal of the web licenses of ${product}`}
          request={`Please renew our web licenses of ${product}, for ${countOf(users, 'user')} at least.`}
          facts={facts}
          isMain={isMain}
        />
      )
    default:
      return null
  }
}

type GiveProps = { action: ActionOn<Wanted>; product: string; user: string; label: string; isMain: boolean }

function GiveSeat({ action, product, user, label, isMain }: GiveProps) {
  return (
    <ActionButton
      action={action}
      thing={{ product, user }}
      size="compact-sm"
      variant={isMain ? 'filled' : 'default'}
      aria-label={label}
    />
  )
}
