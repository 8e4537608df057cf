import { Button, Group, Stack, Switch, TagsInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { AccountSwitches } from '#contract/settings/portal-access-switches.ts'
import { sameSwitches } from '#domain/settings/account-switches.ts'
import { emailError } from '#domain/settings/email-address.ts'
import { isForbidden } from '#web/lib/api-failure.ts'
import { useKnownCustomer } from '#web/lib/customer.tsx'
import { NoPermissions } from '#web/lib/no-permissions.tsx'
import { useUnsavedChanges } from '#web/lib/unsaved-changes.ts'
import { freeMailDomains } from '#web/modules/settings/free-mail-domains.ts'
import { askForStandingAgain, saveSwitches, switchesQuery } from '#web/modules/settings/portal-access.api.ts'
import { switchDifferences } from '#web/modules/settings/switch-versions.ts'
import { useSave } from '#web/modules/settings/use-save.ts'
import { BothVersions } from '#web/ui/both-versions/both-versions.tsx'
import { SaveButton } from '#web/ui/save-button.tsx'
import classes from './portal-access.module.css'

/** What business operations sets on an account beside its contacts. */
export function SwitchesForm({ loaded }: { loaded: AccountSwitches }) {
  const { number } = useKnownCustomer()
  const queries = useQueryClient()
  const [original, setOriginal] = useState(loaded)
  const [draft, setDraft] = useState(loaded)
  const [conflict, setConflict] = useState<{ theirs: AccountSwitches; message: string }>()
  const isDirty = !sameSwitches(draft, original)
  const salesErrors = faultsAmong(draft.salesAccess)
  const generatorErrors = faultsAmong(draft.fnpLicenseGenerators)
  useUnsavedChanges(isDirty)

  const start = (from: AccountSwitches, shown = from) => {
    setOriginal(from)
    setDraft(shown)
    setConflict(undefined)
  }
  const save = useSave({
    done: 'The access settings have been saved.',
    send: () => saveSwitches(number, draft, original),
    onSaved: (saved) => {
      start(saved)
      queries.setQueryData(switchesQuery(number).queryKey, saved)
      askForStandingAgain(queries, number)
    },
    onConflict: async (message) => {
      const theirs = await queries.fetchQuery({ ...switchesQuery(number), staleTime: 0 })
      setConflict({ theirs, message })
    },
  })
  if (isForbidden(save.error)) return <NoPermissions />
  const change = (part: Partial<AccountSwitches>) => setDraft((now) => ({ ...now, ...part }))
  return (
    <Stack gap="md" className={classes.switches}>
      {conflict && (
        <BothVersions
          message={conflict.message}
          differences={switchDifferences(conflict.theirs, draft)}
          actions={
            <>
              <Button size="xs" variant="default" onClick={() => start(conflict.theirs)}>
                Use theirs
              </Button>
              <Button size="xs" variant="default" onClick={() => start(conflict.theirs, draft)}>
                Keep mine
              </Button>
            </>
          }
        />
      )}
      <Switch
        label="Access disabled"
        description="Shuts the account for everyone but staff and FNP license generators"
        checked={draft.isAccessDisabled}
        onChange={(event) => change({ isAccessDisabled: event.currentTarget.checked })}
      />
      <TagsInput
        {...PEOPLE}
        label="Sales access"
        description="E-mail addresses of people who may see this account for sales"
        value={draft.salesAccess}
        error={inLines(salesErrors)}
        onChange={(salesAccess) => change({ salesAccess })}
      />
      <TagsInput
        {...PEOPLE}
        label="FNP license generators"
        description="E-mail addresses of people who may generate license files for this account"
        value={draft.fnpLicenseGenerators}
        error={inLines(generatorErrors)}
        onChange={(fnpLicenseGenerators) => change({ fnpLicenseGenerators })}
      />
      <Group justify="flex-end" gap="xs">
        <Button variant="default" disabled={!isDirty || save.isPending} onClick={() => start(original)}>
          Cancel
        </Button>
        <SaveButton
          isSaving={save.isPending}
          disabled={!isDirty || conflict !== undefined || salesErrors.length + generatorErrors.length > 0}
          onClick={() => save.mutate()}
        >
          Save
        </SaveButton>
      </Group>
    </Stack>
  )
}

const PEOPLE = {
  placeholder: 'Type an address, Enter adds it',
  splitChars: [',', ';', ' '],
  acceptValueOnBlur: true,
  maxTags: 1000,
  clearable: false,
} satisfies Partial<Parameters<typeof TagsInput>[0]>

/** Every address that cannot be taken, and why. */
function faultsAmong(emails: readonly string[]): string[] {
  return emails.flatMap((email) => {
    const error = emailError(email, freeMailDomains)
    return error ? `${email}: ${error}` : []
  })
}

function inLines(errors: readonly string[]) {
  if (errors.length === 0) return undefined
  return errors.map((error) => (
    <span key={error} className={classes.error}>
      {error}
    </span>
  ))
}
