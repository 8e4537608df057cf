import { NumberInput, Switch } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { SavedLicenseUseSettings } from '#contract/license-use/license-use.ts'
import type { Fields } from '#web/form/fields.ts'
import { FormDialog } from '#web/form/form.tsx'
import { FormFooter } from '#web/form/form-footer.tsx'
import { Loaded } from '#web/form/loaded.tsx'
import { useForm } from '#web/form/use-form.ts'
import { call } from '#web/lib/api/api-client.ts'
import { useKnownCustomer } from '#web/lib/customer.tsx'
import { LICENSE_USE_KEY, settingsQuery } from '#web/modules/license-use/license-use.api.ts'
import { confirm } from '#web/ui/dialogs/confirm.tsx'
import { Dialog } from '#web/ui/dialogs/dialog.tsx'

const TITLE = 'Settings of license use'

/** How the account keeps what its license servers report. */
export function SettingsDialog({ onClose }: { onClose(): void }) {
  const { number } = useKnownCustomer()
  const { data } = useQuery(settingsQuery(number))
  if (data) return <SettingsForm loaded={data} onClose={onClose} />
  return (
    <Dialog title={TITLE} onClose={onClose}>
      <Loaded query={settingsQuery(number)}>{() => null}</Loaded>
    </Dialog>
  )
}

type Values = { hasPseudonyms: boolean; keptDays: number | string }
const FIELDS: Fields<Values> = {
  hasPseudonyms: { label: 'Show pseudonyms instead of user names', text: (isOn) => (isOn ? 'Yes' : 'No') },
  keptDays: { label: 'Days to keep single checkouts and denials' },
}
const [MIN_DAYS, MAX_DAYS] = [30, 4000]
const isKeepable = (days: number) => Number.isInteger(days) && days >= MIN_DAYS && days <= MAX_DAYS

function SettingsForm({ loaded, onClose }: { loaded: SavedLicenseUseSettings; onClose(): void }) {
  const { number } = useKnownCustomer()
  const queries = useQueryClient()
  const form = useForm<Values, SavedLicenseUseSettings>({
    loaded,
    valuesOf: ({ hasPseudonyms, keptDays }) => ({ hasPseudonyms, keptDays }),
    fields: FIELDS,
    validate: ({ keptDays }) => ({
      keptDays: isKeepable(Number(keptDays)) ? undefined : 'Enter a number from 30 to 4,000.',
    }),
    confirm: async ({ hasPseudonyms }, saved) =>
      !hasPseudonyms ||
      saved.hasPseudonyms ||
      confirm('Replace the names of users by pseudonyms, also in the past? This cannot be undone.', 'Replace names'),
    save: ({ hasPseudonyms, keptDays }, { revision }, key) =>
      call('license-use/settings/save', {
        body: { customerNumber: number, settings: { hasPseudonyms, keptDays: Number(keptDays) }, revision },
        idempotencyKey: key,
      }),
    success: 'The settings have been saved.',
    refusals: { PSEUDONYMS_STAY: 'hasPseudonyms' },
    isInDialog: true,
    onSaved() {
      void queries.invalidateQueries({ queryKey: [LICENSE_USE_KEY] })
      onClose()
    },
  })
  const pseudonyms = form.field('hasPseudonyms')
  return (
    <FormDialog form={form} title={TITLE} onClose={onClose}>
      <Switch
        {...pseudonyms}
        disabled={pseudonyms.disabled || loaded.hasPseudonyms}
        label="Show pseudonyms instead of user names"
        description={
          loaded.hasPseudonyms
            ? 'The names are gone, so this cannot be turned off.'
            : 'Names that are stored are replaced. This cannot be undone.'
        }
      />
      <NumberInput
        {...form.field('keptDays')}
        label="Days to keep single checkouts and denials"
        description="Sums by the hour are kept. From 30 to 4,000 days."
        min={MIN_DAYS}
        max={MAX_DAYS}
        allowDecimal={false}
        clampBehavior="none"
      />
      <FormFooter onClose={onClose} />
    </FormDialog>
  )
}
