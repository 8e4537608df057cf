import { Button, Group, Stack, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { Contact } from '#domain/settings/contacts.ts'
import { randomKey, useSave } from '#web/form/use-save.ts'
import { failureText, hasCode, unsavedText } from '#web/lib/api/api-error.ts'
import { useKnownCustomer } from '#web/lib/customer.tsx'
import { useSignedIn } from '#web/lib/sign-in/signed-in.tsx'
import { contactChoiceQuery, contactsQuery, saveContacts } from '#web/modules/settings/portal-access.api.ts'
import { Dialog } from '#web/ui/dialogs/dialog.tsx'
import { FailureNotice } from '#web/ui/failure-notice.tsx'
import { showPanel } from '#web/ui/panels.ts'
import { SignalStrip } from '#web/ui/signal-strip.tsx'
import { Spinner } from '#web/ui/spinner.tsx'

/** Takes the access of a contact away, after a confirmation. */
export function RemoveContactDialog({ email, onClose }: { email: string; onClose(): void }) {
  const { number, name, reload } = useKnownCustomer()
  const { user } = useSignedIn()
  const queries = useQueryClient()
  const { data, error, refetch } = useQuery(contactChoiceQuery(number))
  const contacts = data?.map(({ email, role }) => ({ email, role }) as Contact) ?? []
  const contact = contacts.find((one) => one.email === email)
  const isOwn = email === user.email
  const reloadContacts = async () => {
    // The form is loaded again where it is open.
    await queries.resetQueries({ queryKey: contactsQuery(number).queryKey })
    await queries.invalidateQueries({ queryKey: contactChoiceQuery(number).queryKey })
    if (isOwn) await reload()
  }
  const {
    save,
    isSaving,
    error: failure,
  } = useSave<Contact[], Contact[]>({
    send: (before: Contact[], key) =>
      saveContacts(
        number,
        before.filter((one) => one.email !== email),
        before,
        key,
      ),
    success: `${email} is no longer a contact of ${name}.`,
    onSaved: async () => {
      onClose()
      await reloadContacts()
    },
    onFailed: (refusal) => {
      // Somebody has changed the list: the next attempt is about what is stored now.
      if (hasCode(refusal, 'STALE')) void refetch()
      return true
    },
    // Who has removed themselves cannot take it back.
    ...(!isOwn && { undo: (after, before) => void takeBack(before, after) }),
  })
  const takeBack = async (before: Contact[], after: Contact[]) => {
    try {
      await saveContacts(number, before, after, randomKey())
      showPanel('success', `${email} is a contact of ${name} again.`)
    } catch (refusal) {
      showPanel('error', failureText(refusal as Error))
    }
    await reloadContacts()
  }
  return (
    <Dialog onClose={onClose} title="Remove contact">
      {error ? (
        <FailureNotice failure={error} onRetry={refetch} />
      ) : !data ? (
        <Spinner />
      ) : contact ? (
        <Stack gap="0.75rem">
          <Text>
            Do you want to remove <strong>{email}</strong> ({contact.role}) from the contacts of {name} ({number})?{' '}
            {isOwn ? 'You lose your own access to this account.' : 'This person can no longer open the account.'}
          </Text>
          {failure && (
            <SignalStrip signal="red" role="alert">
              {unsavedText(failure, 'Nobody was removed.')}
            </SignalStrip>
          )}
        </Stack>
      ) : (
        <Text>{email} is not a contact of this account.</Text>
      )}
      <Group justify="flex-end" mt="lg" gap="xs">
        <Button variant="default" onClick={onClose}>
          {data && !contact ? 'Close' : 'Cancel'}
        </Button>
        {contact && (
          <Button data-autofocus loading={isSaving} onClick={() => save(contacts)}>
            Remove contact
          </Button>
        )}
      </Group>
    </Dialog>
  )
}
