import { Input, NumberInput, Radio, TagsInput, Text, TextInput } from '@mantine/core'
import { useRef } from 'react'
import type { NewTokenAnswer } from '#contract/tokens/tokens.ts'
import { AREA_LABELS, AREA_TEXTS, TOKEN_AREAS, type TokenArea, type TokenScope } from '#domain/tokens/token-areas.ts'
import { DEFAULT_LIFE, MAX_ADDRESSES, MAX_TOKEN_NAME, newTokenErrors } from '#domain/tokens/token-rules.ts'
import type { Fields } from '#web/form/fields.ts'
import { FormDialog } from '#web/form/form.tsx'
import { FormFooter } from '#web/form/form-footer.tsx'
import { useForm } from '#web/form/use-form.ts'
import { call } from '#web/lib/api/api-client.ts'
import type { TokenFormProps } from '#web/modules/tokens/token.dialog.tsx'
import classes from './tokens.module.css'

/** None is empty, so that an untouched form shows no error. */
type Right = '' | 'read' | 'write'
type Values = { name: string; days: number | string; addresses: readonly string[] } & Record<TokenArea, Right>

const AREA_FIELDS = Object.fromEntries(TOKEN_AREAS.map((area) => [area, { label: AREA_LABELS[area] }])) as Record<
  TokenArea,
  { label: string }
>
const FIELDS: Fields<Values> = {
  name: { label: 'Name' },
  days: { label: 'Days' },
  addresses: { label: 'Addresses', text: (addresses) => addresses.join('\n') },
  ...AREA_FIELDS,
}
const NO_RIGHTS = Object.fromEntries(TOKEN_AREAS.map((area) => [area, ''])) as Record<TokenArea, Right>

const scopesOf = (values: Values): TokenScope[] =>
  TOKEN_AREAS.flatMap((area) => {
    const right = values[area]
    return right === '' ? [] : [`${area}:${right}` as const]
  })
const toNewToken = (values: Values) => ({
  name: values.name,
  scopes: scopesOf(values),
  days: Number(values.days),
  addresses: [...values.addresses],
})

const RIGHTS = [
  { value: '', label: 'None' },
  { value: 'read', label: 'Read' },
  { value: 'write', label: 'Write' },
] as const

export function NewTokenDialog({ customerNumber, policy, onMade, onClose }: TokenFormProps) {
  const made = useRef<NewTokenAnswer>(undefined)
  const form = useForm<Values, Values>({
    loaded: { name: '', days: Math.min(DEFAULT_LIFE, policy.longestDays), addresses: [], ...NO_RIGHTS },
    valuesOf: (values) => values,
    fields: FIELDS,
    validate: (values) => {
      const { scopes, ...errors } = newTokenErrors(toNewToken(values), policy)
      return { ...errors, entitlements: scopes }
    },
    save: async (values, _, key) => {
      made.current = await call('tokens/create', {
        body: { customerNumber, ...toNewToken(values) },
        idempotencyKey: key,
      })
      return values
    },
    onSaved: ({ name }) => made.current && onMade(name.trim(), made.current),
    success: 'The token has been created.',
    isInDialog: true,
    draftName: `token:${customerNumber}`,
    unchanged: 'Enter a name and choose an area.',
  })
  const rights = policy.isWriteAllowed ? RIGHTS : RIGHTS.slice(0, -1)
  return (
    <FormDialog form={form} title="Create token" size={640} onClose={onClose}>
      <TextInput
        {...form.field('name')}
        label="Name"
        description="The program that uses it"
        maxLength={MAX_TOKEN_NAME}
        data-autofocus
      />
      <Input.Wrapper
        component="div"
        labelElement="div"
        label="Scopes"
        description="The token never has more rights than you have. Write includes reading."
        error={form.field('entitlements').error}
      >
        <table className="plain-table" aria-label="Scopes">
          <thead>
            <tr>
              <th>Area</th>
              {rights.map(({ label }) => (
                <th key={label} className={classes.right}>
                  {label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {TOKEN_AREAS.map((area) => (
              <tr key={area}>
                <td>
                  {AREA_LABELS[area]}
                  <Text size="xs" c="dimmed">
                    {AREA_TEXTS[area]}
                  </Text>
                </td>
                {rights.map(({ value, label }) => (
                  <td key={label} className={classes.right}>
                    <Radio
                      size="xs"
                      name={area}
                      aria-label={`${AREA_LABELS[area]}: ${label}`}
                      checked={form.values[area] === value}
                      disabled={form.isLocked}
                      onChange={() => form.change(area, value)}
                    />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </Input.Wrapper>
      <NumberInput
        {...form.field('days')}
        label="Days"
        description={`The token ends after this many days, ${policy.longestDays} at most. You get an email before.`}
        min={1}
        max={policy.longestDays}
        allowDecimal={false}
        clampBehavior="none"
      />
      <TagsInput
        {...form.field('addresses')}
        label="Addresses"
        description="IP addresses and networks that it can be used from. Leave it empty to allow all."
        placeholder={form.values.addresses.length === 0 ? 'Type an address and press Enter' : ''}
        splitChars={[',', ';', ' ']}
        acceptValueOnBlur
        maxTags={MAX_ADDRESSES}
      />
      <FormFooter save="Create token" onClose={onClose} />
    </FormDialog>
  )
}
