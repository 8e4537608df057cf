import { Button } from '@mantine/core'
import { useCan, useKnownCustomer } from '#web/lib/customer.tsx'
import { PortalLink } from '#web/lib/portal-link.tsx'

const ORDER = '/entitlementsFSA?tab=order'

/** A line that the order screen begins with. */
type PreparedLine = { readonly contract: string; readonly product: string; readonly count: number }
type Props = { about: string; line?: PreparedLine | undefined; isMain?: boolean }

/** Orders from the spending account, where there is one that this person may order from; otherwise asks the vendor by email. */
export function OrderOrAsk({ about, line, isMain = false }: Props) {
  const { number, name, info, standing } = useKnownCustomer()
  const mayOrder = useCan('fsa.order') && standing.holdings.fsa
  const look = { size: 'compact-sm', variant: isMain ? 'filled' : 'default' } as const
  if (mayOrder)
    return (
      <Button {...look} component={PortalLink} to={orderAddress(line)} aria-label={`Order ${about}`}>
        Order
      </Button>
    )
  const subject = encodeURIComponent(`Account ${number}: ${about}`)
  const text = encodeURIComponent(`Please send us an offer for ${about}.\n\nAccount: ${name} (${number})\n`)
  return (
    <Button
      {...look}
      component="a"
      href={`mailto:${info.supportEmail}?subject=${subject}&body=${text}`}
      aria-label={`Ask for ${about}`}
    >
      Ask
    </Button>
  )
}

function orderAddress(line: PreparedLine | undefined): string {
  if (!line) return ORDER
  const { contract, product, count } = line
  return `${ORDER}&${new URLSearchParams({ contract, product, count: String(count) })}`
}
