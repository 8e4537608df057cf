import { Button, Paper, Select, Title } from '@mantine/core'
import { IconEye } from '@tabler/icons-react'
import { useState } from 'react'
import { Loaded } from '#web/form/loaded.tsx'
import { useSave } from '#web/form/use-save.ts'
import { call } from '#web/lib/api/api-client.ts'
import { useKnownCustomer } from '#web/lib/customer.tsx'
import { contactChoiceQuery } from '#web/modules/settings/portal-access.api.ts'
import classes from './portal-access.module.css'

/** For staff. The page is loaded anew, so that nothing of theirs is left on it. */
export function ViewAs() {
  const { number } = useKnownCustomer()
  const [email, setEmail] = useState<string | null>(null)
  const starting = useSave({
    send: (contact: string, idempotencyKey) =>
      call('viewas/start', { body: { customerNumber: number, email: contact }, idempotencyKey }),
    success: () => undefined,
    notDone: 'The view was not changed.',
    onSaved: () => window.location.assign(`/home?customer=${encodeURIComponent(number)}`),
  })
  return (
    <Paper component="section" className={classes.card} aria-labelledby="view-as">
      <Title order={2} id="view-as">
        View as customer
      </Title>
      <p className={classes.hints}>
        See the portal as a contact sees it. You cannot change anything meanwhile. Start and stop are in the audit log.
      </p>
      <Loaded query={contactChoiceQuery(number)}>
        {(contacts) => (
          <div className={classes.viewAs}>
            <Select
              label="Contact"
              placeholder="Choose a contact"
              data={contacts.map((contact) => contact.email)}
              value={email}
              onChange={setEmail}
              searchable
            />
            <Button
              variant="default"
              leftSection={<IconEye size={16} aria-hidden />}
              disabled={email === null}
              loading={starting.isSaving}
              onClick={() => email !== null && starting.save(email)}
            >
              View as contact
            </Button>
          </div>
        )}
      </Loaded>
    </Paper>
  )
}
