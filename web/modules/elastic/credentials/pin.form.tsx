import { Button, Group, TextInput } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { credentialsFile, PIN_LENGTH, pinForm } from '#domain/elastic/credentials/pin.ts'
import type { Fields } from '#web/form/fields.ts'
import { Form } from '#web/form/form.tsx'
import { FormFooter } from '#web/form/form-footer.tsx'
import { useForm } from '#web/form/use-form.ts'
import { useAddressRequest } from '#web/lib/address/use-address-request.ts'
import { useCan } from '#web/lib/customer.tsx'
import { saveFile } from '#web/lib/save-file.ts'
import { type LoadedPin, pinQuery, savePin } from '#web/modules/elastic/credentials/credentials.api.ts'
import type { ElasticServer } from '#web/modules/elastic/credentials/elastic-server.tsx'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { confirm } from '#web/ui/dialogs/confirm.tsx'
import { ReasonTooltip } from '#web/ui/reason-tooltip.tsx'
import classes from './credentials.module.css'

type Values = { pin: string }

/** More than a PIN has: a PIN that was pasted with too many digits is refused, not cut. */
const MAX_TYPED = 4 * PIN_LENGTH
const FIELDS: Fields<Values> = { pin: { label: 'PIN' } }

const READ_ONLY =
  'You can see the PIN, but not change it. Only Administrators and Support Coordinators of this account can.'
const NO_PIN =
  'This license server has no PIN yet. It gets one when an Administrator or Support Coordinator of this account opens this page.'

export function PinForm({ server, loaded }: { server: ElasticServer; loaded: LoadedPin }) {
  const queries = useQueryClient()
  const isWriter = useCan('credentials.write')
  const form = useForm({
    loaded,
    valuesOf: ({ pin }): Values => ({ pin: pin ?? '' }),
    fields: FIELDS,
    validate: ({ pin }, { pin: stored }) => (isWriter ? { pin: pinForm(stored, pin, server.alias).error } : {}),
    confirm: () => confirm(<Question server={server} />, 'Change PIN'),
    save: ({ pin }, before, key) => savePin(server.key, pin, before.revision, key),
    success: 'The PIN has been changed.',
    onSaved: (saved) => queries.setQueryData(pinQuery(server.key).queryKey, saved),
    draftName: `pin:${server.id}`,
    isSecret: true,
    readOnly: isWriter ? undefined : loaded.pin === null ? NO_PIN : READ_ONLY,
  })
  const { pin } = form.values
  const input = useRef<HTMLInputElement>(null)
  useAddressRequest('focus', () => input.current?.select())
  const { exportAlert } = pinForm(form.original.pin, pin, server.alias)
  const { disabled, ...field } = form.field('pin')
  return (
    <Form form={form}>
      <Group gap="xs" align="flex-end">
        <TextInput
          {...field}
          ref={input}
          disabled={disabled}
          label="PIN"
          classNames={{ wrapper: classes.pin }}
          inputMode="numeric"
          pattern={`[0-9]{${PIN_LENGTH}}`}
          maxLength={MAX_TYPED}
          rightSection={form.original.pin === pin && pin !== '' && <CopyButton value={pin} what="PIN" />}
        />
        <ReasonTooltip reason={exportAlert}>
          <Button
            variant="default"
            leftSection={<IconDownload size={16} aria-hidden />}
            onClick={() => {
              const { name, text } = credentialsFile(server, pin)
              saveFile(new Blob([text], { type: 'application/json' }), name)
            }}
          >
            Export ID & PIN
          </Button>
        </ReasonTooltip>
      </Group>
      <FormFooter save="Change PIN" />
    </Form>
  )
}

function Question({ server }: { server: ElasticServer }) {
  return (
    <>
      Do you want to change the PIN of the elastic license server <strong className={classes.id}>{server.id}</strong>?
      Applications need the new PIN to start sessions. Running sessions continue.
    </>
  )
}
