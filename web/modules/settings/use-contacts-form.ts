import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type Contact, contactFaults, sameContacts } from '#domain/settings/contacts.ts'
import { failureText, hasCode, isForbidden } from '#web/lib/api-failure.ts'
import { useKnownCustomer } from '#web/lib/customer.tsx'
import { useSignedIn } from '#web/lib/signed-in.tsx'
import { useUnsavedChanges } from '#web/lib/unsaved-changes.ts'
import { type ContactRow, contactsIn, newRow, rowsOf } from '#web/modules/settings/contact-rows.ts'
import { changesRoleOf, withMyChanges } from '#web/modules/settings/contact-versions.ts'
import { freeMailDomains } from '#web/modules/settings/free-mail-domains.ts'
import { askForStandingAgain, contactsQuery, saveContacts } from '#web/modules/settings/portal-access.api.ts'
import { confirm } from '#web/ui/dialogs/confirm.tsx'
import { showPanel, withdrawPanel } from '#web/ui/panels/panels.ts'

const SAVED = 'Portal access has been saved.'
const CHANGES_OWN_ROLE = 'This changes your own access to this account. Do you wish to continue?'

/** The contacts on the screen, over those that were loaded or saved last. */
export function useContactsForm(loaded: Contact[]) {
  const { number } = useKnownCustomer()
  const { user } = useSignedIn()
  const queries = useQueryClient()
  const [original, setOriginal] = useState(loaded)
  const [rows, setRows] = useState(() => rowsOf(loaded))
  const [conflict, setConflict] = useState<{ theirs: Contact[]; message: string }>()
  const faults = contactFaults(rows, freeMailDomains)
  const isValid = faults.every(({ email, role }) => !email && !role)
  const isDirty = rows.length !== original.length || !sameContacts(rows, original)
  useUnsavedChanges(isDirty)

  const start = (from: Contact[], shown = from) => {
    setOriginal(from)
    setRows(rowsOf(shown))
    setConflict(undefined)
  }
  const save = useMutation({
    onMutate: () => withdrawPanel('success', SAVED),
    mutationFn: () => saveContacts(number, contactsIn(rows), original),
    onSuccess: (saved) => {
      start(saved)
      queries.setQueryData(contactsQuery(number).queryKey, saved)
      showPanel('success', SAVED)
      if (changesRoleOf(user.email, original, saved)) askForStandingAgain(queries, number)
    },
    onError: async (error) => {
      if (isForbidden(error)) return
      if (!hasCode(error, 'STALE')) return showPanel('error', failureText(error))
      const theirs = await queries.fetchQuery({ ...contactsQuery(number), staleTime: 0 })
      setConflict({ theirs, message: error.message })
    },
  })
  return {
    rows,
    faults,
    isValid,
    isDirty,
    isSaving: save.isPending,
    isForbidden: isForbidden(save.error),
    change: (key: number, part: Partial<Pick<ContactRow, 'email' | 'role'>>) =>
      setRows((now) => now.map((row) => (row.key === key ? { ...row, ...part } : row))),
    add: () => setRows((now) => [...now, newRow()]),
    remove: (key: number) => setRows((now) => now.filter((row) => row.key !== key)),
    cancel: () => start(original),
    async save() {
      const isAboutMe = changesRoleOf(user.email, original, contactsIn(rows))
      if (!isAboutMe || (await confirm(CHANGES_OWN_ROLE, 'Change my access'))) save.mutate()
    },
    conflict: conflict && {
      ...conflict,
      takeTheirs: () => start(conflict.theirs),
      keepMine: () => start(conflict.theirs, contactsIn(rows)),
      combine: () => start(conflict.theirs, withMyChanges(original, contactsIn(rows), conflict.theirs)),
    },
  }
}
