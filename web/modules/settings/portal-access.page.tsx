import { Anchor, Text } from '@mantine/core'
import { useFocusWithin } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { FreeDomains } from '#domain/settings/email-address.ts'
import { Loaded } from '#web/form/loaded.tsx'
import { useCan, useKnownCustomer } from '#web/lib/customer.tsx'
import { freeDomainsQuery } from '#web/lib/free-domains.ts'
import { ContactsForm } from '#web/modules/settings/contacts.form.tsx'
import { contactsQuery, switchesQuery } from '#web/modules/settings/portal-access.api.ts'
import { SwitchesForm } from '#web/modules/settings/switches.form.tsx'
import { Card, Cards } from '#web/ui/cards.tsx'
import { Popover } from '#web/ui/overlays/popover.tsx'
import { PageHead } from '#web/ui/page-head.tsx'

export function Page() {
  const maySwitch = useCan('contacts.switches')
  const [isInUse, setIsInUse] = useState(false)
  const { ref } = useFocusWithin({ onFocus: () => setIsInUse(true) })
  // Until the list is loaded, only the server rejects free domains.
  const { data: freeDomains = NO_DOMAINS } = useQuery({ ...freeDomainsQuery, enabled: isInUse })
  return (
    <>
      <PageHead />
      <div ref={ref}>
        <Cards>
          <Contacts freeDomains={freeDomains} />
          {maySwitch && <Switches freeDomains={freeDomains} />}
        </Cards>
      </div>
    </>
  )
}

type CardProps = { freeDomains: FreeDomains }

const NO_DOMAINS: FreeDomains = new Set()

function Contacts({ freeDomains }: CardProps) {
  const { number } = useKnownCustomer()
  return (
    <Card
      title="Contacts"
      about={
        <>
          Contacts need an active account to sign in to the portal. <WhoDecides />
        </>
      }
    >
      <Loaded query={contactsQuery(number)}>
        {(contacts) => <ContactsForm loaded={contacts} freeDomains={freeDomains} />}
      </Loaded>
    </Card>
  )
}

function WhoDecides() {
  return (
    <Popover
      width={320}
      position="bottom-start"
      button={
        <Anchor inherit component="button" type="button">
          Who decides?
        </Anchor>
      }
    >
      <Text>To become an Administrator, ask an Administrator or a Support Coordinator of this account.</Text>
      <Text mt="xs">To become a Support Coordinator, ask your account manager.</Text>
    </Popover>
  )
}

function Switches({ freeDomains }: CardProps) {
  const { number } = useKnownCustomer()
  return (
    <Card title="Business Operations" about="Only Business Operations can see and change these settings.">
      <Loaded query={switchesQuery(number)}>
        {(switches) => <SwitchesForm loaded={switches} freeDomains={freeDomains} />}
      </Loaded>
    </Card>
  )
}
