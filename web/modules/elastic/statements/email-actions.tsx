import { Text } from '@mantine/core'
import { IconMail } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { StatementKind } from '#domain/elastic/statements/mailed-statement.ts'
import { useSave } from '#web/form/use-save.ts'
import { useKnownCustomer } from '#web/lib/customer.tsx'
import { serverTime } from '#web/lib/server-time.ts'
import {
  emailStatement,
  mailedStatementSource,
  type StatementEmail,
} from '#web/modules/elastic/statements/mailed-statements.api.ts'
import { elasticDeviceQuery } from '#web/modules/elastic/usage/usage.api.ts'
import { LazyMenu } from '#web/table/lazy-menu.tsx'
import { confirm } from '#web/ui/dialogs/confirm.tsx'
import { Facts } from '#web/ui/facts.tsx'
import { Menu } from '#web/ui/overlays/menu.tsx'
import classes from './statement.module.css'

const NAMES = { weekly: 'Weekly', monthly: 'Monthly' } as const

/** Mails the statement of one entitlement to the signed-in person. */
export function EmailActions({ activationId }: { activationId: string }) {
  const { number } = useKnownCustomer()
  const queries = useQueryClient()
  const { data: server } = useQuery(elasticDeviceQuery(number))
  const email = useSave<StatementEmail>({
    send: emailStatement,
    success: 'Email has been sent.',
    notDone: 'Email has not been sent.',
    onSaved: () => queries.invalidateQueries({ queryKey: mailedStatementSource(number).key }),
  })
  if (!server) return null
  const ask = async (kind: StatementKind) => {
    const question = (
      <>
        <Text mb="0.75rem">Are you sure you want to send a {NAMES[kind]} Statement email for this entitlement?</Text>
        <Facts
          layout="above"
          facts={[
            ['Cloud server id', <span className={classes.id}>{server.deviceId}</span>],
            ['Activation id', <span className={classes.id}>{activationId}</span>],
          ]}
        />
      </>
    )
    if (!(await confirm(question, 'Send email'))) return
    const date = serverTime().toISOString()
    email.save({ kind, customerid: number, server: server.deviceId, activationid: activationId, date })
  }
  return (
    <LazyMenu
      label={`Email a statement of ${activationId}`}
      icon={<IconMail size={16} aria-hidden />}
      className={classes.mail}
    >
      {() => (
        <>
          <Menu.Item onClick={() => void ask('weekly')}>Email Weekly Statement</Menu.Item>
          <Menu.Item onClick={() => void ask('monthly')}>Email Monthly Statement</Menu.Item>
        </>
      )}
    </LazyMenu>
  )
}
