import { Button, Text } from '@mantine/core'
import { PortalLink } from '#web/lib/address/portal-link.tsx'
import { useCan, useKnownCustomer } from '#web/lib/customer.tsx'
import { askEmail } from '#web/parts/ask-email.ts'

/** A line that the order screen begins with. */
type PreparedLine = { readonly contract: string; readonly product: string; readonly count: number }

type AskProps = {
  about: string
  /** What the email asks for, if it is more than an offer for it. */
  request?: string
  /** What the vendor needs to know: one line of the email each. */
  facts?: readonly string[]
  isMain?: boolean
}

/** Asks the vendor by email, with the facts filled in: what no spending account can be ordered from, the vendor sells. */
export function Ask({
  about,
  request = `Please send us an offer for ${about}.`,
  facts = [],
  isMain = false,
}: AskProps) {
  const { number, name, info } = useKnownCustomer()
  const email = askEmail({ account: { number, name, supportEmail: info.supportEmail }, about, request, facts })
  if (email === undefined)
    return (
      <Text span size="sm" c="dimmed">
        Ask the vendor’s support for {about}.
      </Text>
    )
  return (
    <Button
      size="compact-sm"
      variant={isMain ? 'filled' : 'default'}
      component="a"
      href={email}
      aria-label={`Contact vendor about ${about}`}
    >
      Contact vendor
    </Button>
  )
}

type OrderProps = { about: string; line: PreparedLine; children?: string }

/** Opens the order with its line filled in. */
export function OrderLink({ about, line, children = 'Order' }: OrderProps) {
  const { contract, product, count } = line
  const values = new URLSearchParams({ tab: 'order', contract, product, count: String(count) })
  return (
    <Button
      size="compact-sm"
      variant="default"
      component={PortalLink}
      to={`/entitlementsFSA?${values}`}
      aria-label={`Order ${about}`}
    >
      {children}
    </Button>
  )
}

/** Orders the line if this person may, and asks the vendor if not, or if no spending account offers it. */
export function OrderOrAsk({ line, ...asking }: AskProps & { line: PreparedLine | undefined }) {
  const mayOrder = useCan('fsa.order')
  return line && mayOrder ? <OrderLink about={asking.about} line={line} /> : <Ask {...asking} />
}
