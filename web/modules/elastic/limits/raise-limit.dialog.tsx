import { Text, TextInput } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { LoadedLimits, SavedLimits } from '#contract/elastic/limits/limits.ts'
import { limitText } from '#domain/elastic/limits/limit.ts'
import { limitErrors, toTyped } from '#domain/elastic/limits/limit-errors.ts'
import { formatDecimal } from '#domain/money/decimal.ts'
import type { Fields } from '#web/form/fields.ts'
import { FormDialog } from '#web/form/form.tsx'
import { FormFooter } from '#web/form/form-footer.tsx'
import { useForm } from '#web/form/use-form.ts'
import { useKnownCustomer } from '#web/lib/customer.tsx'
import { limitsQuery, saveLimits, valuesOf } from '#web/modules/elastic/limits/limits.api.ts'
import { Dialog } from '#web/ui/dialogs/dialog.tsx'
import { FailureNotice } from '#web/ui/failure-notice.tsx'
import { Spinner } from '#web/ui/spinner.tsx'

type Props = { limitId: string; onClose(): void }

/** Lets a limit refuse later. */
export function RaiseLimitDialog({ limitId, onClose }: Props) {
  const { number } = useKnownCustomer()
  const { data, error, refetch } = useQuery(limitsQuery(number))
  const limit = data?.saved.limits.find(({ id }) => id === limitId)
  if (data && limit) return <RaiseForm customerNumber={number} limitId={limitId} loaded={data} onClose={onClose} />
  return (
    <Dialog title={TITLE} onClose={onClose}>
      {error ? (
        <FailureNotice failure={error} onRetry={refetch} />
      ) : data ? (
        <Text>This limit was removed: it refuses nothing any more.</Text>
      ) : (
        <Spinner />
      )}
    </Dialog>
  )
}

const TITLE = 'Raise the limit'

type Values = { refuseAt: string }
const FIELDS: Fields<Values> = { refuseAt: { label: 'Refuse at' } }

type FormProps = Props & { customerNumber: string; loaded: LoadedLimits }

function RaiseForm({ customerNumber, limitId, loaded, onClose }: FormProps) {
  const queries = useQueryClient()
  const limitOf = ({ limits }: SavedLimits) => limits.find(({ id }) => id === limitId)
  const raised = (saved: SavedLimits, refuseAt: string) => {
    const values = valuesOf(saved)
    return { ...values, limits: values.limits.map((row) => (row.id === limitId ? { ...row, refuseAt } : row)) }
  }
  const form = useForm<Values, SavedLimits>({
    loaded: loaded.saved,
    valuesOf: (saved) => ({ refuseAt: limitOf(saved)?.refuseAt ?? '' }),
    fields: FIELDS,
    validate({ refuseAt }, original) {
      const limit = limitOf(original)
      return { refuseAt: limit && limitErrors([{ ...toTyped(limit), refuseAt }])[0]?.refuseAt }
    },
    save: (values, before, key) => saveLimits(customerNumber, raised(before, values.refuseAt), before.revision, key),
    success: 'The limit has been raised. It applies to new sessions.',
    unchanged: 'Enter another limit.',
    isInDialog: true,
    onSaved() {
      void queries.invalidateQueries({ queryKey: limitsQuery(customerNumber).queryKey })
      void queries.invalidateQueries({ queryKey: ['home'] })
      onClose()
    },
  })
  const limit = limitOf(loaded.saved)
  const use = loaded.use[limitId]
  return (
    <FormDialog form={form} title={TITLE} size={520} onClose={onClose}>
      {limit && <Text>{limitText(limit)}.</Text>}
      {use && limit && (
        <Text>
          {use.name ? `${use.name} has` : 'It has'} used {formatDecimal(use.used, 2)} {limit.currency}.
        </Text>
      )}
      <TextInput
        {...form.field('refuseAt')}
        label="Refuse at"
        description={limit && `Units in ${limit.currency}`}
        inputMode="decimal"
        maxLength={20}
        data-autofocus
      />
      <FormFooter save="Raise the limit" onClose={onClose} />
    </FormDialog>
  )
}
