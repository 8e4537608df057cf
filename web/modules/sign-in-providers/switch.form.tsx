import { Button, NativeSelect, Radio, Stack } from '@mantine/core'
import { IconExternalLink } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import type { SignInProvider, SignInTest } from '#contract/sign-in-providers/sign-in-providers.ts'
import { isInForce } from '#domain/sign-in-providers/domain-proof.ts'
import { type Mode, NO_PROVIDER, switchRefusal } from '#domain/sign-in-providers/provider.ts'
import type { Fields } from '#web/form/fields.ts'
import { Form } from '#web/form/form.tsx'
import { FormFooter } from '#web/form/form-footer.tsx'
import { useForm } from '#web/form/use-form.ts'
import { call } from '#web/lib/api/api-client.ts'
import { timeText } from '#web/lib/format.ts'
import { runtimeConfig } from '#web/lib/runtime-config.ts'
import { goToSignIn } from '#web/lib/sign-in/sign-in.ts'
import { keepSignInProvider } from '#web/modules/sign-in-providers/sign-in-providers.api.ts'
import { confirm } from '#web/ui/dialogs/confirm.tsx'
import { ReasonTooltip } from '#web/ui/reason-tooltip.tsx'
import { SignalDot } from '#web/ui/signal-dot.tsx'
import classes from './sign-in-providers.module.css'

type Values = { mode: Mode; breakGlass: string }

const MODES: Readonly<Record<Mode, readonly [label: string, description: string]>> = {
  off: ['Off', 'Nobody is led to your provider.'],
  optional: ['Optional', 'People of your domains are led to your provider. They can also sign in without it.'],
  enforced: [
    'Enforced',
    'People of your domains must use your provider for this account. Staff of the vendor and the break-glass address need not.',
  ],
}

const FIELDS: Fields<Values> = {
  mode: { label: 'Sign-in through your provider', text: (mode) => MODES[mode][0] },
  breakGlass: { label: 'Break-glass address', text: (email) => email || 'None' },
}

export function SwitchForm({ customerNumber, loaded }: { customerNumber: string; loaded: SignInProvider }) {
  const queries = useQueryClient()
  const { administrators, domains, provider } = loaded
  const names = domains.filter(({ state }) => isInForce(state)).map(({ domain }) => domain)
  const form = useForm<Values, SignInProvider>({
    loaded,
    valuesOf: (saved) => ({ mode: saved.provider?.mode ?? 'off', breakGlass: saved.provider?.breakGlass ?? '' }),
    fields: FIELDS,
    validate: ({ mode, breakGlass }) => {
      const refusal = switchRefusal(
        { mode, breakGlass: breakGlass || null },
        {
          isTested: provider?.isTested === true || provider?.mode !== 'off',
          hasDomain: names.length > 0,
          administrators,
        },
      )
      return {
        [refusal !== undefined && names.length > 0 && mode === 'enforced' && provider?.isTested
          ? 'breakGlass'
          : 'mode']: refusal,
      }
    },
    save: ({ mode, breakGlass }, { revision }, key) =>
      call('sign-in-provider/switch', {
        body: { customerNumber, mode, breakGlass: breakGlass || null, revision },
        idempotencyKey: key,
      }),
    confirm: async ({ mode }, before) =>
      mode !== 'enforced' ||
      before.provider?.mode === 'enforced' ||
      confirm(
        `People with an address of ${names.join(', ')} must sign in through your provider from now on. Those who have not lose this account until they do.`,
        'Enforce',
      ),
    success: 'The sign-in has been saved.',
    onSaved: (saved) => {
      if (saved.mustSignInAgain) goToSignIn()
      else keepSignInProvider(queries, customerNumber, saved)
    },
    refusals: { SIGN_IN_NOT_READY: 'mode' },
    readOnly: provider ? undefined : NO_PROVIDER,
  })
  return (
    <Form form={form}>
      <TestSignIn customerNumber={customerNumber} provider={provider} />
      <Radio.Group {...form.field('mode')} label="Sign-in through your provider">
        <Stack gap="xs" mt="xs">
          {Object.entries(MODES).map(([value, [label, description]]) => (
            <Radio key={value} value={value} label={label} description={description} disabled={provider === null} />
          ))}
        </Stack>
      </Radio.Group>
      <NativeSelect
        {...form.field('breakGlass')}
        label="Break-glass address"
        description="An administrator who can still sign in without your provider. Each use is logged, and the administrators get an email."
        data={[{ value: '', label: 'Nobody' }, ...withPresent(administrators, form.values.breakGlass)]}
      />
      <FormFooter />
    </Form>
  )
}

/** Somebody who is no administrator any more is still shown. */
const withPresent = (administrators: readonly string[], present: string) =>
  present === '' || administrators.includes(present) ? administrators : [present, ...administrators]

type TestProps = { customerNumber: string; provider: SignInProvider['provider'] }

function TestSignIn({ customerNumber, provider }: TestProps) {
  const address = `${runtimeConfig().signInUrl}?${new URLSearchParams({ test: customerNumber })}`
  const icon = <IconExternalLink size={15} aria-hidden />
  return (
    <div className={classes.head}>
      <ReasonTooltip reason={provider ? undefined : NO_PROVIDER}>
        {provider ? (
          <Button
            component="a"
            href={address}
            target="_blank"
            rel="noopener"
            size="xs"
            variant="default"
            leftSection={icon}
          >
            Test sign-in
          </Button>
        ) : (
          <Button size="xs" variant="default" leftSection={icon}>
            Test sign-in
          </Button>
        )}
      </ReasonTooltip>
      <div role="status">{provider && <TestResult test={provider.test} />}</div>
    </div>
  )
}

function TestResult({ test }: { test: SignInTest | null }) {
  if (test === null) return <SignalDot signal="none">Not tested yet</SignalDot>
  const { at, isCurrent, email, role, reason } = test
  if (reason !== null)
    return (
      <SignalDot signal="red">
        Failed {timeText(at)}: {reason}
      </SignalDot>
    )
  return (
    <SignalDot signal={isCurrent ? 'green' : 'orange'}>
      {isCurrent ? 'Tested' : 'Tested with other settings,'} {timeText(at)}: {email}
      {role === null ? '' : `, ${role}`}
    </SignalDot>
  )
}
