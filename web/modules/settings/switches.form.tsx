import { Switch, TagsInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import type { AccountSwitches } from '#contract/settings/portal-access-switches.ts'
import { type FreeDomains, normalizedEmail } from '#domain/settings/email-address.ts'
import type { Fields } from '#web/form/fields.ts'
import { Form } from '#web/form/form.tsx'
import { FormFooter } from '#web/form/form-footer.tsx'
import { useForm } from '#web/form/use-form.ts'
import { call } from '#web/lib/api/api-client.ts'
import { useKnownCustomer } from '#web/lib/customer.tsx'
import { addressErrors } from '#web/modules/settings/contact-form-errors.ts'
import { switchesQuery } from '#web/modules/settings/portal-access.api.ts'
import classes from './portal-access.module.css'

const people = (emails: readonly string[]) => [...new Set(emails.map(normalizedEmail))].sort().join('\n') || 'Nobody'

const FIELDS: Fields<AccountSwitches> = {
  isAccessDisabled: { label: 'Access disabled', text: (is) => (is ? 'Yes' : 'No') },
  salesAccess: { label: 'Sales access', text: people },
  fnpLicenseGenerators: { label: 'FNP license generators', text: people },
}

type Props = { loaded: AccountSwitches; freeDomains: FreeDomains }

/** Settings of an account that only Business Operations can change. */
export function SwitchesForm({ loaded, freeDomains }: Props) {
  const { number, reload } = useKnownCustomer()
  const queries = useQueryClient()
  const form = useForm({
    loaded,
    valuesOf: (switches) => switches,
    fields: FIELDS,
    validate: ({ salesAccess, fnpLicenseGenerators }) => ({
      salesAccess: addressErrors(salesAccess, freeDomains),
      fnpLicenseGenerators: addressErrors(fnpLicenseGenerators, freeDomains),
    }),
    save: (switches, before, key) =>
      call('setaccountswitches', {
        body: { customerNumber: number, newSwitches: switches, oldSwitches: before },
        idempotencyKey: key,
      }),
    draftName: `switches:${number}`,
    success: 'The access settings have been saved.',
    onSaved: (saved) => {
      queries.setQueryData(switchesQuery(number).queryKey, saved)
      reload()
    },
  })
  return (
    <Form form={form}>
      <Switch
        {...form.field('isAccessDisabled')}
        label="Access disabled"
        description="Only staff and FNP license generators can use this account"
      />
      <TagsInput
        {...PEOPLE}
        {...form.field('salesAccess')}
        label="Sales access"
        description="Email addresses of people who can see this account for sales"
      />
      <TagsInput
        {...PEOPLE}
        {...form.field('fnpLicenseGenerators')}
        label="FNP license generators"
        description="Email addresses of people who can generate license files for this account"
      />
      <FormFooter />
    </Form>
  )
}

const PEOPLE = {
  placeholder: 'Type an address and press Enter',
  splitChars: [',', ';', ' '],
  acceptValueOnBlur: true,
  maxTags: 1000,
  clearable: false,
  classNames: { error: classes.errors },
} satisfies Partial<Parameters<typeof TagsInput>[0]>
