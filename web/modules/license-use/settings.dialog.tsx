import { Button, Group, NumberInput, Stack, Switch } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { LicenseUseSettings } from '#contract/license-use/license-use.ts'
import { Loaded } from '#web/form/loaded.tsx'
import { failureText } from '#web/lib/api-failure.ts'
import { useKnownCustomer } from '#web/lib/customer.tsx'
import { LICENSE_USE_KEY, saveSettings, settingsQuery } from '#web/modules/license-use/license-use.api.ts'
import { confirm } from '#web/ui/dialogs/confirm.tsx'
import { Dialog } from '#web/ui/dialogs/dialog.tsx'
import { SignalStrip } from '#web/ui/signal-strip.tsx'

/** How the account keeps what its license servers report. */
export function SettingsDialog({ onClose }: { onClose(): void }) {
  const { number } = useKnownCustomer()
  return (
    <Dialog title="Settings of license use" onClose={onClose}>
      <Loaded query={settingsQuery(number)}>
        {(settings) => <SettingsForm settings={settings} onClose={onClose} />}
      </Loaded>
    </Dialog>
  )
}

function SettingsForm({ settings, onClose }: { settings: LicenseUseSettings; onClose(): void }) {
  const { number } = useKnownCustomer()
  const queries = useQueryClient()
  const [hasPseudonyms, setHasPseudonyms] = useState(settings.hasPseudonyms)
  const [keptDays, setKeptDays] = useState<number | string>(settings.keptDays)
  const [failure, setFailure] = useState<string>()
  const isValid = typeof keptDays === 'number' && Number.isInteger(keptDays) && keptDays >= 30 && keptDays <= 4000
  const save = async () => {
    const question = 'Replace the names of users by pseudonyms, also in the past? This cannot be undone.'
    if (hasPseudonyms && !settings.hasPseudonyms && !(await confirm(question, 'Replace names'))) return
    try {
      await saveSettings(number, { hasPseudonyms, keptDays: Number(keptDays) })
      await queries.invalidateQueries({ queryKey: [LICENSE_USE_KEY] })
      onClose()
    } catch (error) {
      setFailure(failureText(error))
    }
  }
  return (
    <Stack>
      <Switch
        label="Show pseudonyms instead of user names"
        description="Names that are stored are replaced. This cannot be undone."
        checked={hasPseudonyms}
        onChange={(event) => setHasPseudonyms(event.currentTarget.checked)}
      />
      <NumberInput
        label="Days to keep single checkouts and denials"
        description="Sums by the hour are kept. From 30 to 4,000 days."
        value={keptDays}
        onChange={setKeptDays}
        min={30}
        max={4000}
        error={isValid ? undefined : 'Enter a number from 30 to 4,000.'}
      />
      {failure && (
        <SignalStrip signal="red" role="alert">
          {failure}
        </SignalStrip>
      )}
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button onClick={save} disabled={!isValid}>
          Save
        </Button>
      </Group>
    </Stack>
  )
}
