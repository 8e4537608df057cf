import { useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { LoadedLimits, SavedLimits } from '#contract/elastic/limits/limits.ts'
import { PERIOD_LABELS, subjectText } from '#domain/elastic/limits/limit.ts'
import { limitErrors, productRuleErrors } from '#domain/elastic/limits/limit-errors.ts'
import type { Errors, Fields } from '#web/form/fields.ts'
import { Form } from '#web/form/form.tsx'
import { FormFooter } from '#web/form/form-footer.tsx'
import { useForm } from '#web/form/use-form.ts'
import { useAddressRequest } from '#web/lib/address/use-address-request.ts'
import { useCan } from '#web/lib/customer.tsx'
import { LimitRows, namedRow } from '#web/modules/elastic/limits/limit-rows.tsx'
import {
  type LimitRow,
  type LimitValues,
  limitsQuery,
  saveLimits,
  valuesOf,
} from '#web/modules/elastic/limits/limits.api.ts'
import { ProductRuleRows, ruleText } from '#web/modules/elastic/limits/product-rule-rows.tsx'
import { WouldRefuse } from '#web/modules/elastic/limits/would-refuse.tsx'
import { Card } from '#web/ui/cards.tsx'
import classes from './limits.module.css'

const READ_ONLY =
  'You can see the limits, but not change them. Only Administrators and Support Coordinators of this account can.'

type Props = { customerNumber: string; loaded: LoadedLimits; actions: ReactNode }

export function LimitsForm({ customerNumber, loaded, actions }: Props) {
  const queries = useQueryClient()
  const [currency = 'AEU'] = loaded.currencies
  const newLimit = { ...NEW_LIMIT, currency }
  const form = useForm<LimitValues, SavedLimits>({
    loaded: loaded.saved,
    valuesOf,
    fields: fieldsOf(newLimit),
    validate: errorsIn,
    save: (values, before, key) => saveLimits(customerNumber, values, before.revision, key),
    success: 'The limits have been saved. They apply to new sessions.',
    // What is used of the new limits is asked of the portal.
    onSaved: () => queries.invalidateQueries({ queryKey: limitsQuery(customerNumber).queryKey }),
    readOnly: useCan('limits.write') ? undefined : READ_ONLY,
    draftName: `limits:${customerNumber}`,
    hasUndo: true,
  })
  const limits = form.rows('limits')
  const rules = form.rows('productRules')
  useAddressRequest('add', (what) => {
    if (form.readOnly === undefined) (what === 'rule' ? rules : limits).add()
  })
  return (
    <Form form={form}>
      <div className={classes.page}>
        <Card
          title="Limits"
          about="What was used before a limit was made counts from the first instant of its period. A running session counts with 15 minutes at least."
        >
          <LimitRows rows={limits} loaded={loaded} />
        </Card>
        <Card
          title="Products per user"
          about="Which products somebody may start. Without a rule, everybody may start all of them."
        >
          <ProductRuleRows rows={rules} loaded={loaded} />
        </Card>
        {form.isDirty && (
          <WouldRefuse
            customerNumber={customerNumber}
            values={form.values}
            isValid={Object.values(errorsIn(form.values)).every((error) => error === undefined)}
          />
        )}
        <FormFooter save="Save limits" />
        <div>{actions}</div>
      </div>
    </Form>
  )
}

const NEW_LIMIT: LimitRow = {
  id: '',
  subject: 'user',
  user: '',
  project: '',
  product: '',
  period: 'month',
  currency: 'AEU',
  warnAt: '',
  refuseAt: '',
  from: '',
  to: '',
}

const fieldsOf = (newLimit: LimitRow): Fields<LimitValues> => ({
  limits: {
    label: 'Limits',
    newRow: newLimit,
    byRow: {
      keyOf: (row) => `${subjectText(namedRow(row))} ${PERIOD_LABELS[row.period]}${row.from && ` from ${row.from}`}`,
      text: ({ refuseAt, warnAt, currency, to }) =>
        [refuseAt && `refuse at ${refuseAt}`, warnAt && `warn at ${warnAt}`, currency, to && `to ${to}`]
          .filter(Boolean)
          .join(', '),
      absent: 'No limit',
    },
  },
  productRules: {
    label: 'Products per user',
    newRow: { user: '', kind: 'deny', products: [] },
    byRow: { keyOf: ({ user }) => user.trim() || 'Everybody else', text: ruleText, absent: 'No rule' },
  },
})

function errorsIn({ limits, productRules }: LimitValues): Errors {
  const rows = limitErrors(limits.map((row) => ({ ...row, ...namedRow(row) })))
  const rules = productRuleErrors(productRules.map((rule) => ({ ...rule, user: rule.user.trim() || null })))
  return Object.fromEntries([
    ...rows.flatMap((errors, index) =>
      Object.entries(errors).map(([field, text]) => [`limits.${index}.${field}`, text]),
    ),
    ...rules.flatMap((errors, index) =>
      Object.entries(errors).map(([field, text]) => [`productRules.${index}.${field}`, text]),
    ),
  ])
}
