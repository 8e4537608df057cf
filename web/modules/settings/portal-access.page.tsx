import { Paper, Title } from '@mantine/core'
import { useFocusWithin } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { FreeDomains } from '#domain/settings/email-address.ts'
import { hasCode } from '#web/lib/api/api-failure.ts'
import { useCan, useKnownCustomer } from '#web/lib/customer.tsx'
import { NoPermissions } from '#web/lib/sign-in/no-permissions.tsx'
import { ContactsForm } from '#web/modules/settings/contacts.form.tsx'
import { contactsQuery, freeDomainsQuery, switchesQuery } from '#web/modules/settings/portal-access.api.ts'
import { SwitchesForm } from '#web/modules/settings/switches.form.tsx'
import { ViewAs } from '#web/modules/settings/view-as.section.tsx'
import { FailureNotice } from '#web/ui/failure-notice.tsx'
import { PageHead } from '#web/ui/page-head.tsx'
import { Spinner } from '#web/ui/spinner.tsx'
import classes from './portal-access.module.css'

export function Page() {
  const maySwitch = useCan('contacts.switches')
  const mayView = useCan('contacts.view-as')
  const [isInUse, setIsInUse] = useState(false)
  const { ref } = useFocusWithin({ onFocus: () => setIsInUse(true) })
  // Until the list is loaded, only the server rejects free domains.
  const { data: freeDomains = NO_DOMAINS } = useQuery({ ...freeDomainsQuery, enabled: isInUse })
  return (
    <>
      <PageHead />
      <div className={classes.cards} ref={ref}>
        <Contacts freeDomains={freeDomains} />
        {maySwitch && <Switches freeDomains={freeDomains} />}
        {mayView && <ViewAs />}
      </div>
    </>
  )
}

type CardProps = { freeDomains: FreeDomains }

const NO_DOMAINS: FreeDomains = new Set()

function Contacts({ freeDomains }: CardProps) {
  const { number } = useKnownCustomer()
  const { data, error, refetch } = useQuery(contactsQuery(number))
  if (hasCode(error, 'NOT_ALLOWED')) return <NoPermissions />
  return (
    <Paper component="section" className={classes.card} aria-labelledby="contacts">
      <Title order={2} id="contacts">
        Contacts
      </Title>
      <ul className={classes.hints}>
        <li>Contacts need an active account to sign in to the portal.</li>
        <li>To become an Administrator, ask an Administrator or a Support Coordinator of this account.</li>
        <li>To become a Support Coordinator, ask your account manager.</li>
      </ul>
      {error ? (
        <FailureNotice failure={error} onRetry={refetch} />
      ) : data ? (
        <ContactsForm loaded={data} freeDomains={freeDomains} />
      ) : (
        <Spinner />
      )}
    </Paper>
  )
}

function Switches({ freeDomains }: CardProps) {
  const { number } = useKnownCustomer()
  const { data, error, refetch } = useQuery(switchesQuery(number))
  if (hasCode(error, 'NOT_ALLOWED')) return <NoPermissions />
  return (
    <Paper component="section" className={classes.card} aria-labelledby="switches">
      <Title order={2} id="switches">
        Business Operations
      </Title>
      <p className={classes.hints}>Only Business Operations can see and change these settings.</p>
      {error ? (
        <FailureNotice failure={error} onRetry={refetch} />
      ) : data ? (
        <SwitchesForm loaded={data} freeDomains={freeDomains} />
      ) : (
        <Spinner />
      )}
    </Paper>
  )
}
