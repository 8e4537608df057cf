import { NumberInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { SavedTokenPolicy } from '#contract/tokens/tokens.ts'
import { PROVISIONING_SCOPE, type TokenScope } from '#domain/tokens/token-areas.ts'
import { DEFAULT_OVERLAP, lifeProblem, MAX_OVERLAP, overlapProblem } from '#domain/tokens/token-rules.ts'
import type { Fields } from '#web/form/fields.ts'
import { FormDialog } from '#web/form/form.tsx'
import { FormFooter } from '#web/form/form-footer.tsx'
import { Loaded } from '#web/form/loaded.tsx'
import { useForm } from '#web/form/use-form.ts'
import { call } from '#web/lib/api/api-client.ts'
import { useKnownCustomer } from '#web/lib/customer.tsx'
import { reloadProvisioning, type ScimToken, tokenPolicyQuery } from '#web/modules/provisioning/provisioning.api.ts'
import { ShownOnce } from '#web/ui/dialogs/shown-once.dialog.tsx'

type Values = { days: number | string; overlap: number | string }
const FIELDS: Fields<Values> = { days: { label: 'Days' }, overlap: { label: 'Overlap in hours' } }

/** The token to be replaced; undefined for the first one. */
type Props = { token: ScimToken | undefined; onClose(): void }

/** A form that makes the token of the identity provider, and the token once it is made. */
export function ScimTokenDialog({ token, onClose }: Props) {
  const { number } = useKnownCustomer()
  const queries = useQueryClient()
  const [made, setMade] = useState<string>()
  // Loaded again after the token was seen: the first one changes the page, which would close this dialog.
  const close = () => {
    onClose()
    void reloadProvisioning(queries, number)
  }
  if (made !== undefined)
    return (
      <ShownOnce title="Token for provisioning" what="token" value={made} onClose={close}>
        Enter it in the identity provider as the secret token, with the base address.
      </ShownOnce>
    )
  return (
    <Loaded query={tokenPolicyQuery(number)}>
      {(policy) => (
        <TokenForm customerNumber={number} token={token} policy={policy} onMade={setMade} onClose={onClose} />
      )}
    </Loaded>
  )
}

type FormProps = Props & { customerNumber: string; policy: SavedTokenPolicy; onMade(text: string): void }

function TokenForm({ customerNumber, token, policy, onMade, onClose }: FormProps) {
  const made = useRef('')
  const form = useForm<Values, Values>({
    loaded: { days: policy.longestDays, overlap: DEFAULT_OVERLAP },
    valuesOf: (values) => values,
    fields: FIELDS,
    validate: ({ days, overlap }) => ({
      days: lifeProblem(toNumber(days), policy),
      overlap: overlapProblem(toNumber(overlap)),
    }),
    save: async (values, _, idempotencyKey) => {
      const [days, overlapHours] = [toNumber(values.days), toNumber(values.overlap)]
      const answer = token
        ? await call('tokens/roll', { body: { customerNumber, id: token.id, days, overlapHours }, idempotencyKey })
        : await call('tokens/create', { body: { customerNumber, ...NEW_TOKEN, days }, idempotencyKey })
      made.current = answer.token
      return values
    },
    onSaved: () => onMade(made.current),
    success: token ? 'The token has been replaced.' : 'The token has been created.',
    isInDialog: true,
    canSaveUnchanged: true,
  })
  const act = token ? 'Replace token' : 'Create token'
  return (
    <FormDialog form={form} title={act} size={520} onClose={onClose}>
      <NumberInput
        {...form.field('days')}
        label="Days"
        description={`The token ends after this many days, ${policy.longestDays} at most. You get an email before.`}
        min={1}
        max={policy.longestDays}
        allowDecimal={false}
        clampBehavior="none"
        data-autofocus
      />
      {token && (
        <NumberInput
          {...form.field('overlap')}
          label="Overlap in hours"
          description={`How long the present token still works, ${MAX_OVERLAP} hours at most.`}
          min={0}
          max={MAX_OVERLAP}
          allowDecimal={false}
          clampBehavior="none"
        />
      )}
      <FormFooter save={act} onClose={onClose} />
    </FormDialog>
  )
}

const NEW_TOKEN = { name: 'Provisioning', scopes: [PROVISIONING_SCOPE] as TokenScope[] }

/** An empty field is no number. */
const toNumber = (value: number | string) => (value === '' ? Number.NaN : Number(value))
