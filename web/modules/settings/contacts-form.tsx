import { Button, Group, Table } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { type Contact, isLocked } from '#domain/settings/contacts.ts'
import { useCan } from '#web/lib/customer.tsx'
import { NoPermissions } from '#web/lib/no-permissions.tsx'
import { ContactFields } from '#web/modules/settings/contact-fields.tsx'
import { contactsIn } from '#web/modules/settings/contact-rows.ts'
import { contactDifferences } from '#web/modules/settings/contact-versions.ts'
import { useContactsForm } from '#web/modules/settings/use-contacts-form.ts'
import { BothVersions } from '#web/ui/both-versions/both-versions.tsx'
import { SaveButton } from '#web/ui/save-button.tsx'
import classes from './portal-access.module.css'

const ONLY_LOOKING =
  'You can see the contacts, but not change them: that is up to Administrators and Support Coordinators of this account.'

/** The id of the text that says why nothing can be changed. */
const WHY = 'contacts-why'

export function ContactsForm({ loaded }: { loaded: Contact[] }) {
  const form = useContactsForm(loaded)
  const mayWrite = useCan('contacts.write')
  const mayGrantCoordinator = useCan('contacts.grant-coordinator')
  const why = mayWrite ? undefined : WHY
  const { conflict } = form
  if (form.isForbidden) return <NoPermissions />
  return (
    <>
      {conflict && (
        <div className={classes.conflict}>
          <BothVersions
            message={conflict.message}
            differences={contactDifferences(conflict.theirs, contactsIn(form.rows))}
            actions={
              <>
                <Button size="xs" onClick={conflict.combine}>
                  Combine both
                </Button>
                <Button size="xs" variant="default" onClick={conflict.takeTheirs}>
                  Use theirs
                </Button>
                <Button size="xs" variant="default" onClick={conflict.keepMine}>
                  Keep mine
                </Button>
              </>
            }
          />
        </div>
      )}
      {!mayWrite && (
        <p id={WHY} className={classes.why}>
          {ONLY_LOOKING}
        </p>
      )}
      <Table className={classes.contacts} verticalSpacing={6} aria-label="Contacts">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Email</Table.Th>
            <Table.Th>Role</Table.Th>
            <Table.Td className={classes.removing} />
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {form.rows.map((row) => (
            <ContactFields
              key={row.key}
              contact={row}
              errors={form.errors.get(row.key) ?? {}}
              isReadOnly={!mayWrite || isLocked(row, mayGrantCoordinator)}
              describedBy={why}
              mayGrantCoordinator={mayGrantCoordinator}
              takesFocus={row.email === ''}
              onChange={(part) => form.change(row.key, part)}
              onRemove={() => form.remove(row.key)}
              onKeep={() => form.change(row.key, { isRemoved: false })}
            />
          ))}
        </Table.Tbody>
      </Table>
      {form.rows.length === 0 && <p className={classes.none}>This account has no contacts.</p>}
      <Group justify="space-between" className={classes.foot}>
        <Button
          variant="default"
          leftSection={<IconPlus size={16} aria-hidden />}
          disabled={!mayWrite || !form.isValid}
          aria-describedby={why}
          onClick={form.add}
        >
          Add contact
        </Button>
        <Group gap="xs">
          <Button variant="default" disabled={!form.isChanged || form.isSaving} onClick={form.cancel}>
            Cancel
          </Button>
          <SaveButton
            isSaving={form.isSaving}
            disabled={!form.isDirty || !form.isValid || !mayWrite || conflict !== undefined}
            aria-describedby={why}
            onClick={form.save}
          >
            Save
          </SaveButton>
        </Group>
      </Group>
    </>
  )
}
