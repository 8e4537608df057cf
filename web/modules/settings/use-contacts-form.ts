import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type Contact, sameContacts } from '#domain/settings/contacts.ts'
import { isForbidden } from '#web/lib/api-failure.ts'
import { useKnownCustomer } from '#web/lib/customer.tsx'
import { useSignedIn } from '#web/lib/signed-in.tsx'
import { useUnsavedChanges } from '#web/lib/unsaved-changes.ts'
import {
  type ContactRow,
  contactsIn,
  faultsOf,
  newRow,
  rowsOf,
  withoutRow,
} from '#web/modules/settings/contact-rows.ts'
import { changesRoleOf, withMyChanges } from '#web/modules/settings/contact-versions.ts'
import { askForStandingAgain, contactsQuery, saveContacts } from '#web/modules/settings/portal-access.api.ts'
import { useSave } from '#web/modules/settings/use-save.ts'
import { confirm } from '#web/ui/dialogs/confirm.tsx'

const CHANGES_OWN_ROLE = 'This changes your own access to this account. Do you wish to continue?'

/** The contacts on the screen, over those that were loaded or saved last. */
export function useContactsForm(loaded: Contact[]) {
  const { number } = useKnownCustomer()
  const { user } = useSignedIn()
  const queries = useQueryClient()
  const [original, setOriginal] = useState(loaded)
  const [rows, setRows] = useState(() => rowsOf(loaded))
  const [conflict, setConflict] = useState<{ theirs: Contact[]; message: string }>()
  const errors = faultsOf(rows)
  const isValid = [...errors.values()].every(({ email, role }) => !email && !role)
  const isDirty = !sameContacts(contactsIn(rows), original)
  useUnsavedChanges(isDirty)

  const start = (from: Contact[], shown = from) => {
    setOriginal(from)
    setRows(rowsOf(from, shown))
    setConflict(undefined)
  }
  const save = useSave({
    done: 'Portal access has been saved.',
    send: () => saveContacts(number, contactsIn(rows), original),
    onSaved: (saved) => {
      start(saved)
      queries.setQueryData(contactsQuery(number).queryKey, saved)
      if (changesRoleOf(user.email, original, saved)) askForStandingAgain(queries, number)
    },
    onConflict: async (message) => {
      const theirs = await queries.fetchQuery({ ...contactsQuery(number), staleTime: 0 })
      setConflict({ theirs, message })
    },
  })
  return {
    rows,
    errors,
    isValid,
    isDirty,
    /** Also what is struck through and was never saved can be taken away. */
    isChanged: isDirty || rows.some((row) => row.isRemoved),
    isSaving: save.isPending,
    isForbidden: isForbidden(save.error),
    change: (key: number, part: Partial<Omit<ContactRow, 'key'>>) =>
      setRows((now) => now.map((row) => (row.key === key ? { ...row, ...part } : row))),
    add: () => setRows((now) => [...now, newRow()]),
    remove: (key: number) => setRows((now) => withoutRow(now, key)),
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
