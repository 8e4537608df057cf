import { Button } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import { NOT_ENOUGH_PERMISSIONS } from '#domain/access/can.ts'
import { CHECKOUT_DENIALS, type CheckoutRefusal } from '#domain/web-licenses/checkout.ts'
import { useCan } from '#web/lib/customer.tsx'
import { countOf } from '#web/lib/format.ts'
import { Ask } from '#web/ui/order-or-ask.tsx'
import { ReasonTooltip } from '#web/ui/reason-tooltip.tsx'

/** Only who opens it needs its code, and only accounts with a spending account need its price lists. */
const GiveSeatDialog = lazy(async () => ({
  default: (await import('#web/modules/web-licenses/assignments/give-seat.dialog.tsx')).GiveSeatDialog,
}))
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
        <GiveSeat product={product} user={user} text="Assign" label={`Assign ${product} to ${user}`} isMain={isMain} />
      )
    case 'NO_SEAT':
      return (
        <>
          <GiveSeat
            product={product}
            user={user}
            text="Move seats"
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

type GiveProps = { product: string; user: string; text: string; label: string; isMain: boolean }

function GiveSeat({ product, user, text, label, isMain }: GiveProps) {
  const mayAssign = useCan('web-licenses.write')
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <ReasonTooltip reason={mayAssign ? undefined : NOT_ENOUGH_PERMISSIONS}>
        <Button
          size="compact-sm"
          variant={isMain ? 'filled' : 'default'}
          aria-label={label}
          onClick={() => setIsOpen(true)}
        >
          {text}
        </Button>
      </ReasonTooltip>
      {isOpen && (
        <Suspense>
          <GiveSeatDialog product={product} user={user} onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
