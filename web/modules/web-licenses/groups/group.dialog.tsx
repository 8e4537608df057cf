import { TextInput } from '@mantine/core'
import type { WebGroup } from '#contract/web-licenses/web-lists.ts'
import { groupNameError, MAX_NAME } from '#domain/web-licenses/web-user.ts'
import type { Fields } from '#web/form/fields.ts'
import { FormDialog } from '#web/form/form.tsx'
import { FormFooter } from '#web/form/form-footer.tsx'
import { useForm } from '#web/form/use-form.ts'
import { call } from '#web/lib/api/api-client.ts'
import { useKnownCustomer } from '#web/lib/customer.tsx'
import { useReload } from '#web/modules/web-licenses/web-licenses.api.ts'

type Named = { name: string }
const FIELDS: Fields<Named> = { name: { label: 'Name' } }

type Props = { group: WebGroup | undefined; onClose(): void }

/** Creates a group, or gives it another name. */
export function GroupDialog({ group, onClose }: Props) {
  const { number } = useKnownCustomer()
  const reload = useReload(number)
  const form = useForm<Named, Named>({
    loaded: { name: group?.name ?? '' },
    valuesOf: ({ name }) => ({ name }),
    fields: FIELDS,
    validate: ({ name }) => ({ name: groupNameError(name) }),
    save: ({ name }, _, key) =>
      group
        ? call('web/groups/rename', {
            body: { customerNumber: number, groupId: group.groupId, name },
            idempotencyKey: key,
          })
        : call('web/groups/create', { body: { customerNumber: number, name }, idempotencyKey: key }),
    success: group ? 'The group has been renamed.' : 'The group has been created.',
    refusals: { NAME_TAKEN: 'name', INVALID_NAME: 'name' },
    isInDialog: true,
    onSaved() {
      void reload()
      onClose()
    },
  })
  return (
    <FormDialog form={form} title={group ? `Rename ${group.name}` : 'Create group'} size={500} onClose={onClose}>
      <TextInput {...form.field('name')} label="Name" maxLength={MAX_NAME} data-autofocus />
      <FormFooter save={group ? 'Rename group' : 'Create group'} onClose={onClose} />
    </FormDialog>
  )
}
