import { Anchor, Paper, Text, Title } from '@mantine/core'
import { isStaff } from '#domain/access/standing.ts'
import { LinkList } from '#web/app/home/link-list.tsx'
import { useMenu } from '#web/app/menu/use-menu.ts'
import type { ScreenPath } from '#web/app/screens/screens.ts'
import { withCustomer } from '#web/lib/address/portal-address.ts'
import type { KnownCustomer } from '#web/lib/customer.tsx'
import { useSignedIn } from '#web/lib/sign-in/signed-in.tsx'

/** Screens that are of use before there are licenses. */
const SCREENS: readonly ScreenPath[] = ['portalaccess', 'reminders', 'emails', 'notifications']

/** For an account without any licenses: what that means, whom to ask, and what can be done already. */
export function NoLicenses({ customer: { number, info } }: { customer: KnownCustomer }) {
  const { actor } = useSignedIn()
  const screens = useMenu()
    .flatMap(({ entries }) => entries)
    .filter(({ path }) => SCREENS.includes(path))
  return (
    <Paper component="section" p="1rem" aria-labelledby="no-licenses">
      <Title order={2} id="no-licenses" mb="0.75rem">
        No licenses yet
      </Title>
      <Text c="dimmed">
        This account has no leases, perpetual licenses, elastic units, spending accounts or web licenses. They appear
        here as soon as an order is delivered.
      </Text>
      <Text c="dimmed">
        {isStaff(actor) ? (
          <>If an order was placed, check that it names account {number}.</>
        ) : (
          <>
            If you expect licenses, check that you selected the right account
            {info.supportEmail ? (
              <>
                , or write to <Anchor href={`mailto:${info.supportEmail}`}>{info.supportEmail}</Anchor>.
              </>
            ) : (
              <>, or contact support.</>
            )}
          </>
        )}
      </Text>
      {screens.length > 0 && (
        <LinkList
          label="What you can do already"
          items={screens.map(({ path, title, about, icon: Icon }) => ({
            to: withCustomer(`/${path}`, number),
            icon: <Icon size={18} stroke={1.6} aria-hidden />,
            name: title,
            about,
          }))}
        />
      )}
    </Paper>
  )
}
