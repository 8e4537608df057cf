import { NumberInput, Switch } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import type { SavedTokenPolicy } from '#contract/tokens/tokens.ts'
import { DEFAULT_POLICY, LIFE_OUT_OF_RANGE, lifeProblem, MAX_LIFE } from '#domain/tokens/token-rules.ts'
import type { Fields } from '#web/form/fields.ts'
import { Form } from '#web/form/form.tsx'
import { FormFooter } from '#web/form/form-footer.tsx'
import { useForm } from '#web/form/use-form.ts'
import { call } from '#web/lib/api/api-client.ts'
import { reloadTokens, tokenPolicyQuery } from '#web/modules/tokens/tokens.api.ts'

type Values = { longestDays: number | string; isWriteAllowed: boolean }
const FIELDS: Fields<Values> = {
  longestDays: { label: 'Maximum lifetime (days)' },
  isWriteAllowed: { label: 'Allow write access', text: (isAllowed) => (isAllowed ? 'Yes' : 'No') },
}

export function TokenPolicyForm({ customerNumber, loaded }: { customerNumber: string; loaded: SavedTokenPolicy }) {
  const queries = useQueryClient()
  const form = useForm<Values, SavedTokenPolicy>({
    loaded,
    valuesOf: ({ longestDays, isWriteAllowed }) => ({ longestDays, isWriteAllowed }),
    fields: FIELDS,
    validate: ({ longestDays }) => ({
      longestDays: lifeProblem(Number(longestDays), DEFAULT_POLICY) && LIFE_OUT_OF_RANGE,
    }),
    save: ({ longestDays, isWriteAllowed }, before, key) =>
      call('tokens/policy/save', {
        body: {
          customerNumber,
          policy: { longestDays: Number(longestDays), isWriteAllowed },
          revision: before.revision,
        },
        idempotencyKey: key,
      }),
    success: 'The policy has been saved.',
    draftName: `token-policy:${customerNumber}`,
    onSaved: (policy) => {
      queries.setQueryData(tokenPolicyQuery(customerNumber).queryKey, policy)
      void reloadTokens(queries, customerNumber)
    },
  })
  return (
    <Form form={form}>
      <NumberInput
        {...form.field('longestDays')}
        label="Maximum lifetime (days)"
        min={1}
        max={MAX_LIFE}
        allowDecimal={false}
        clampBehavior="none"
      />
      <Switch
        {...form.field('isWriteAllowed')}
        label="Allow write access"
        description="If this is off, tokens can only read, whatever their scopes are."
      />
      <FormFooter />
    </Form>
  )
}
