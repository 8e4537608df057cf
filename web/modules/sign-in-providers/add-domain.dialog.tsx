import { TextInput } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { domainError } from '#domain/sign-in-providers/domain-name.ts'
import type { Fields } from '#web/form/fields.ts'
import { FormDialog } from '#web/form/form.tsx'
import { FormFooter } from '#web/form/form-footer.tsx'
import { useForm } from '#web/form/use-form.ts'
import { call } from '#web/lib/api/api-client.ts'
import { useKnownCustomer } from '#web/lib/customer.tsx'
import { freeDomainsQuery } from '#web/lib/free-domains.ts'
import { reloadSignInProvider } from '#web/modules/sign-in-providers/sign-in-providers.api.ts'

type Values = { domain: string }
const FIELDS: Fields<Values> = { domain: { label: 'Domain' } }
const EMPTY: Values = { domain: '' }
const NO_DOMAINS = new Set<string>()

export function AddDomainDialog({ onClose }: { onClose(): void }) {
  const { number } = useKnownCustomer()
  const queries = useQueryClient()
  // Until the list is loaded, only the server rejects free domains.
  const { data: freeDomains = NO_DOMAINS } = useQuery(freeDomainsQuery)
  const form = useForm<Values, Values>({
    loaded: EMPTY,
    valuesOf: (values) => values,
    fields: FIELDS,
    validate: ({ domain }) => ({ domain: domainError(domain, freeDomains) }),
    save: async (values, _before, key) => {
      await call('sign-in-provider/domains/add', { body: { customerNumber: number, ...values }, idempotencyKey: key })
      return values
    },
    onSaved: () => {
      onClose()
      void reloadSignInProvider(queries, number)
    },
    success: 'The domain has been added. Publish its TXT record now.',
    refusals: { DOMAIN_EXISTS: 'domain', TOO_MANY_DOMAINS: 'domain' },
    isInDialog: true,
    unchanged: 'Enter a domain.',
  })
  return (
    <FormDialog form={form} title="Add domain" size={480} onClose={onClose}>
      <TextInput
        {...form.field('domain')}
        label="Domain"
        description="The part of email addresses after the @. A subdomain is a domain of its own."
        placeholder="company.com"
        maxLength={300}
        spellCheck={false}
        data-autofocus
      />
      <FormFooter save="Add domain" onClose={onClose} />
    </FormDialog>
  )
}
