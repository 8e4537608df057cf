import { Anchor } from '@mantine/core'
import { Link } from 'react-router'
import { withCustomer } from '#web/lib/address/portal-address.ts'

/** A screen of another account. */
export function AccountLink({ to, number, name }: { to: string; number: string; name: string }) {
  return (
    <Anchor component={Link} to={withCustomer(to, number)} inherit>
      {name}
    </Anchor>
  )
}
