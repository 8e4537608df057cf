import { Button, Group, MultiSelect, Stack, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { NO_RECIPIENT } from '#domain/elastic/statements/statement-schedule.ts'
import { useSave } from '#web/form/use-save.ts'
import { useCan, useKnownCustomer } from '#web/lib/customer.tsx'
import { useSignedIn } from '#web/lib/sign-in/signed-in.tsx'
import { contactEmailsQuery, mailedStatementSource } from '#web/modules/elastic/statements/mailed-statements.api.ts'
import { Dialog } from '#web/ui/dialogs/dialog.tsx'
import { ReasonTooltip } from '#web/ui/reason-tooltip.tsx'
import classes from './statement.module.css'

export type EmailedFiles = {
  /** What is emailed: "The chargeback by project from 2026-10-01 to 2026-10-31". */
  what: string
  send(recipients: string[], idempotencyKey: string): Promise<unknown>
}

const ONLY_YOURSELF =
  'Only Administrators and Support Coordinators of this account can choose other recipients. The email goes to you.'

/** Whoever may schedule statements chooses contacts of the account. Everybody else is the only recipient. */
export function EmailFilesDialog({ what, send, onClose }: EmailedFiles & { onClose(): void }) {
  const { number } = useKnownCustomer()
  const { actor } = useSignedIn()
  const queries = useQueryClient()
  const mayChoose = useCan('elastic.schedule-statements')
  const { data: contacts = [] } = useQuery({ ...contactEmailsQuery(number), enabled: mayChoose })
  const [recipients, choose] = useState(mayChoose ? [] : [actor.email])
  const email = useSave<string[]>({
    send,
    success: 'Email has been sent.',
    notDone: 'Email has not been sent.',
    onSaved: () => {
      void queries.invalidateQueries({ queryKey: mailedStatementSource(number).key })
      onClose()
    },
  })
  return (
    <Dialog onClose={onClose} title="Email to…" size={500}>
      <Stack gap="md">
        <Text>{what}, as PDF and CSV files.</Text>
        <MultiSelect
          label="Recipients"
          description={mayChoose ? 'Contacts of this account, and you.' : ONLY_YOURSELF}
          placeholder={recipients.length === 0 ? 'Choose contacts' : ''}
          data={[...new Set([actor.email, ...contacts])].sort()}
          value={recipients}
          onChange={choose}
          disabled={!mayChoose}
          classNames={{ inputField: classes.recipient }}
          searchable
          nothingFoundMessage="No such contact."
          maxValues={50}
          data-autofocus
        />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <ReasonTooltip reason={recipients.length === 0 ? NO_RECIPIENT : undefined}>
            <Button loading={email.isSaving} onClick={() => email.save(recipients)}>
              Send email
            </Button>
          </ReasonTooltip>
        </Group>
      </Stack>
    </Dialog>
  )
}
