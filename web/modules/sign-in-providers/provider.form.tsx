import { NativeSelect, Switch, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import type { SignInProvider } from '#contract/sign-in-providers/sign-in-providers.ts'
import { GIVEN_ROLES, type GivenRole } from '#domain/provisioning/wanted-access.ts'
import { type GroupRule, MAX_GROUP_NAME, MAX_GROUP_RULES } from '#domain/sign-in-providers/group-access.ts'
import {
  type ClientAuth,
  MAX_CLAIM,
  MAX_CLIENT_ID,
  MAX_CLIENT_SECRET,
  MAX_ISSUER,
  providerErrors,
} from '#domain/sign-in-providers/provider.ts'
import type { Fields } from '#web/form/fields.ts'
import { Form } from '#web/form/form.tsx'
import { FormFooter } from '#web/form/form-footer.tsx'
import { FormRows } from '#web/form/form-rows.tsx'
import { useForm } from '#web/form/use-form.ts'
import { call } from '#web/lib/api/api-client.ts'
import { keepSignInProvider } from '#web/modules/sign-in-providers/sign-in-providers.api.ts'

/** As inputs have them: an empty text is nothing. */
type RuleRow = { readonly group: string; readonly role: string; readonly webGroupId: string }
type Values = {
  issuer: string
  clientId: string
  clientAuth: ClientAuth
  clientSecret: string
  newKey: boolean
  groupClaim: string
  rules: readonly RuleRow[]
}

const AUTHS: Readonly<Record<ClientAuth, string>> = {
  client_secret_basic: 'Client secret',
  client_secret_post: 'Client secret, sent in the body',
  private_key_jwt: 'Key of the portal (private_key_jwt)',
}
const AUTH_CHOICE = Object.entries(AUTHS).map(([value, label]) => ({ value, label }))
const NOTHING = { value: '', label: 'Nothing' }

const FIELDS: Fields<Values> = {
  issuer: { label: 'Issuer' },
  clientId: { label: 'Client id' },
  clientAuth: { label: 'Authentication', text: (auth) => AUTHS[auth] },
  clientSecret: { label: 'Client secret', text: (secret) => (secret === '' ? 'As before' : 'A new one') },
  newKey: { label: 'New key', text: (is) => (is ? 'Yes' : 'No') },
  groupClaim: { label: 'Claim with the groups' },
  rules: {
    label: 'Groups',
    newRow: { group: '', role: '', webGroupId: '' },
    byRow: {
      keyOf: ({ group }) => group,
      text: ({ role, webGroupId }) => [role, webGroupId].filter(Boolean).join(', '),
      absent: 'Not in the list',
    },
  },
}

const toRule = ({ group, role, webGroupId }: RuleRow): GroupRule => ({
  group,
  role: role === '' ? null : (role as GivenRole),
  webGroupId: webGroupId || null,
})

const valuesOf = ({ provider }: SignInProvider): Values => ({
  issuer: provider?.issuer ?? '',
  clientId: provider?.clientId ?? '',
  clientAuth: provider?.clientAuth ?? 'client_secret_basic',
  clientSecret: '',
  newKey: false,
  groupClaim: provider?.groupClaim ?? '',
  rules: (provider?.rules ?? []).map(({ group, role, webGroupId }) => ({
    group,
    role: role ?? '',
    webGroupId: webGroupId ?? '',
  })),
})

export function ProviderForm({ customerNumber, loaded }: { customerNumber: string; loaded: SignInProvider }) {
  const queries = useQueryClient()
  const { hasSecret = false } = loaded.provider ?? {}
  const form = useForm<Values, SignInProvider>({
    loaded,
    valuesOf,
    fields: FIELDS,
    validate: ({ rules, ...values }, { provider }) =>
      providerErrors({ ...values, rules: rules.map(toRule) }, provider?.hasSecret ?? false),
    save: ({ clientSecret, newKey, rules, ...values }, { revision }, key) =>
      call('sign-in-provider/save', {
        body: {
          customerNumber,
          ...values,
          rules: rules.map(toRule),
          ...(clientSecret === '' ? {} : { clientSecret }),
          ...(newKey ? { newKey } : {}),
          revision,
        },
        idempotencyKey: key,
      }),
    success: 'The provider has been saved.',
    onSaved: (saved) => keepSignInProvider(queries, customerNumber, saved),
    refusals: { SIGN_IN_NOT_READY: 'issuer' },
    ...(loaded.provider ? {} : { unchanged: 'Enter the issuer and the client of your provider.' }),
  })
  const { clientAuth } = form.values
  const webGroups = loaded.webGroups.map(({ id, name }) => ({ value: id, label: name }))
  const groupName = (id: string) => loaded.webGroups.find((group) => group.id === id)?.name
  return (
    <Form form={form}>
      <TextInput
        {...form.field('issuer')}
        label="Issuer"
        description="The portal reads the addresses and keys of the provider there."
        placeholder="https://id.company.com/realms/staff"
        inputMode="url"
        maxLength={MAX_ISSUER}
        spellCheck={false}
      />
      <TextInput {...form.field('clientId')} label="Client id" maxLength={MAX_CLIENT_ID} spellCheck={false} />
      <NativeSelect {...form.field('clientAuth')} label="Authentication" data={AUTH_CHOICE} />
      {clientAuth === 'private_key_jwt' ? (
        loaded.provider?.publicKey && (
          <Switch
            {...form.field('newKey')}
            label="Make a new key"
            description="Sign-ins fail until your provider has read it."
          />
        )
      ) : (
        <TextInput
          type="password"
          {...form.field('clientSecret')}
          label="Client secret"
          description={hasSecret ? 'Leave it empty to keep the present one.' : undefined}
          autoComplete="off"
          maxLength={MAX_CLIENT_SECRET}
        />
      )}
      <TextInput
        {...form.field('groupClaim')}
        label="Claim with the groups"
        description="Without it, people have the roles of Portal Access."
        placeholder="groups"
        maxLength={MAX_CLAIM}
        spellCheck={false}
      />
      <FormRows
        rows={form.rows('rules')}
        label="Groups"
        add="Add group"
        max={MAX_GROUP_RULES}
        nameOf={({ group }) => `the group ${group.trim() || 'without a name'}`}
        columns={[
          {
            label: 'Group',
            text: ({ group }) => group,
            input: (row) => (
              <TextInput {...row.field('group')} aria-label="Group" maxLength={MAX_GROUP_NAME} spellCheck={false} />
            ),
          },
          {
            label: 'Role',
            width: '17rem',
            text: ({ role }) => role || NOTHING.label,
            input: (row) => <NativeSelect {...row.field('role')} aria-label="Role" data={[NOTHING, ...GIVEN_ROLES]} />,
          },
          {
            label: 'Web group',
            text: ({ webGroupId }) => groupName(webGroupId) ?? NOTHING.label,
            input: (row) => (
              <NativeSelect {...row.field('webGroupId')} aria-label="Web group" data={[NOTHING, ...webGroups]} />
            ),
          },
        ]}
      />
      <FormFooter save="Save provider" />
    </Form>
  )
}
