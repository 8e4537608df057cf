import { NumberInput, Switch } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { SavedLicenseUseSettings } from '#contract/license-use/license-use.ts'
import { ASK_HOURS, OFFER_MINUTES } from '#domain/license-use/waiting/waiting-rules.ts'
import type { Fields } from '#web/form/fields.ts'
import { FormDialog } from '#web/form/form.tsx'
import { FormFooter } from '#web/form/form-footer.tsx'
import { Loaded } from '#web/form/loaded.tsx'
import { useForm } from '#web/form/use-form.ts'
import { call } from '#web/lib/api/api-client.ts'
import { useKnownCustomer } from '#web/lib/customer.tsx'
import { countText } from '#web/lib/format.ts'
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

type Values = {
  hasPseudonyms: boolean
  keptDays: number | string
  offerMinutes: number | string
  askHours: number | string
}
const FIELDS: Fields<Values> = {
  hasPseudonyms: { label: 'Show pseudonyms instead of user names', text: (isOn) => (isOn ? 'Yes' : 'No') },
  keptDays: { label: 'Days to keep single checkouts and denials' },
  offerMinutes: { label: 'Minutes until the next in line is notified of a free seat' },
  askHours: { label: 'Hours after which a holder can be asked for a seat' },
}
const KEPT_DAYS = { min: 30, max: 4000 }
type Range = { readonly min: number; readonly max: number }

const rangeError = (entered: number | string, { min, max }: Range) =>
  entered !== '' && Number.isInteger(Number(entered)) && Number(entered) >= min && Number(entered) <= max
    ? undefined
    : `Enter a number from ${countText(min)} to ${countText(max)}.`

function SettingsForm({ loaded, onClose }: { loaded: SavedLicenseUseSettings; onClose(): void }) {
  const { number } = useKnownCustomer()
  const queries = useQueryClient()
  const form = useForm<Values, SavedLicenseUseSettings>({
    loaded,
    valuesOf: ({ revision: _, ...settings }) => settings,
    fields: FIELDS,
    validate: ({ keptDays, offerMinutes, askHours }) => ({
      keptDays: rangeError(keptDays, KEPT_DAYS),
      offerMinutes: rangeError(offerMinutes, OFFER_MINUTES),
      askHours: rangeError(askHours, ASK_HOURS),
    }),
    confirm: async ({ hasPseudonyms }, saved) =>
      !hasPseudonyms ||
      saved.hasPseudonyms ||
      confirm('Replace the names of users by pseudonyms, also in the past? This cannot be undone.', 'Replace names'),
    save: ({ hasPseudonyms, ...numbers }, { revision }, key) => {
      const settings = {
        hasPseudonyms,
        keptDays: Number(numbers.keptDays),
        offerMinutes: Number(numbers.offerMinutes),
        askHours: Number(numbers.askHours),
      }
      return call('license-use/settings/save', {
        body: { customerNumber: number, settings, revision },
        idempotencyKey: key,
      })
    },
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
        {...KEPT_DAYS}
        allowDecimal={false}
        clampBehavior="none"
      />
      <NumberInput
        {...form.field('offerMinutes')}
        label="Minutes until the next in line is notified of a free seat"
        description="Unless the person has checked out by then."
        {...OFFER_MINUTES}
        allowDecimal={false}
        clampBehavior="none"
      />
      <NumberInput
        {...form.field('askHours')}
        label="Hours after which a holder can be asked for a seat"
        description="By an email of the portal, at most one a day. Not while pseudonyms are shown."
        {...ASK_HOURS}
        allowDecimal={false}
        clampBehavior="none"
      />
      <FormFooter onClose={onClose} />
    </FormDialog>
  )
}
