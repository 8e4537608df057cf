import { NumberInput } from '@mantine/core'
import { useRef } from 'react'
import type { NewTokenAnswer } from '#contract/tokens/tokens.ts'
import { DEFAULT_LIFE, DEFAULT_OVERLAP, lifeProblem, MAX_OVERLAP, overlapProblem } from '#domain/tokens/token-rules.ts'
import type { Fields } from '#web/form/fields.ts'
import { FormDialog } from '#web/form/form.tsx'
import { FormFooter } from '#web/form/form-footer.tsx'
import { useForm } from '#web/form/use-form.ts'
import { call } from '#web/lib/api/api-client.ts'
import type { TokenFormProps } from '#web/modules/tokens/token.dialog.tsx'
import type { TokenRow } from '#web/modules/tokens/tokens.api.ts'
import classes from './tokens.module.css'

type Values = { days: number | string; overlap: number | string }

const FIELDS: Fields<Values> = { days: { label: 'Days' }, overlap: { label: 'Overlap in hours' } }

export function RollTokenDialog({
  customerNumber,
  token,
  policy,
  onMade,
  onClose,
}: TokenFormProps & { token: TokenRow }) {
  const made = useRef<NewTokenAnswer>(undefined)
  const form = useForm<Values, Values>({
    loaded: { days: Math.min(DEFAULT_LIFE, policy.longestDays), overlap: DEFAULT_OVERLAP },
    valuesOf: (values) => values,
    fields: FIELDS,
    validate: ({ days, overlap }) => ({
      days: lifeProblem(toNumber(days), policy),
      overlap: overlapProblem(toNumber(overlap)),
    }),
    save: async (values, _, key) => {
      const { days, overlap } = values
      const wanted = { id: token.id, days: toNumber(days), overlapHours: toNumber(overlap) }
      made.current = await call('tokens/roll', { body: { customerNumber, ...wanted }, idempotencyKey: key })
      return values
    },
    onSaved: () => made.current && onMade(token.name, made.current),
    success: 'The token has been replaced.',
    isInDialog: true,
    canSaveUnchanged: true,
    draftName: `roll-token:${token.id}`,
  })
  return (
    <FormDialog form={form} title={`Replace "${token.name}"`} size={520} onClose={onClose}>
      <p className={classes.about}>
        You get a new token with the same name, scopes and addresses, and become its owner. Both tokens work during the
        overlap.
      </p>
      <NumberInput
        {...form.field('days')}
        label="Days"
        description={`The new token ends after this many days, ${policy.longestDays} at most.`}
        min={1}
        max={policy.longestDays}
        allowDecimal={false}
        clampBehavior="none"
        data-autofocus
      />
      <NumberInput
        {...form.field('overlap')}
        label="Overlap in hours"
        description={`How long the old token still works, ${MAX_OVERLAP} hours at most.`}
        min={0}
        max={MAX_OVERLAP}
        allowDecimal={false}
        clampBehavior="none"
      />
      <FormFooter save="Replace token" onClose={onClose} />
    </FormDialog>
  )
}

/** An empty field is no number. */
const toNumber = (value: number | string) => (value === '' ? Number.NaN : Number(value))
