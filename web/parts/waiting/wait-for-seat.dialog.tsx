import { Checkbox, NativeSelect, NumberInput, Select, Text, TextInput } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { WaitingPlace } from '#contract/license-use/waiting/waiting.ts'
import { MAX_SEATS_WANTED, probableUserName } from '#domain/license-use/waiting/waiting-rules.ts'
import type { Fields } from '#web/form/fields.ts'
import { FormDialog } from '#web/form/form.tsx'
import { FormFooter } from '#web/form/form-footer.tsx'
import { useForm } from '#web/form/use-form.ts'
import { call } from '#web/lib/api/api-client.ts'
import { useKnownCustomer } from '#web/lib/customer.tsx'
import { countOf } from '#web/lib/format.ts'
import { serverTime } from '#web/lib/server-time.ts'
import { useSignedIn } from '#web/lib/sign-in/signed-in.tsx'
import { canNotify, listenForSeat, offerText, WAITING_KEY } from '#web/parts/waiting/seat-notices.ts'
import { showPanel } from '#web/ui/panels.ts'

/** For what somebody waits, as far as it is known. */
export type Wanted = {
  readonly feature?: string
  readonly server?: { readonly serverId: string; readonly name: string }
}

type Values = {
  feature: string | null
  serverId: string
  seats: number | null
  hours: string
  userName: string
  isNotified: boolean
}
type Joined = Values & { readonly place?: WaitingPlace }

const FIELDS: Fields<Values> = {
  feature: { label: 'Feature', text: (feature) => feature ?? '' },
  serverId: { label: 'License server' },
  seats: { label: 'Seats' },
  hours: { label: 'Wait for at most' },
  userName: { label: 'User name on the license server' },
  isNotified: { label: 'Show a notification in this browser', text: (isOn) => (isOn ? 'Yes' : 'No') },
}
const HOUR = 3_600_000
const TIMES = [
  { value: '1', label: '1 hour' },
  { value: '4', label: '4 hours' },
  { value: '8', label: '8 hours' },
  { value: '24', label: '1 day' },
  { value: '72', label: '3 days' },
  { value: '168', label: '7 days' },
]

export function WaitForSeatDialog({ wanted, onClose }: { wanted: Wanted; onClose(): void }) {
  const { number, info } = useKnownCustomer()
  const { user } = useSignedIn()
  const queries = useQueryClient()
  const { data, isLoading, error } = useQuery({
    queryKey: ['license-use', 'features', number],
    queryFn: ({ signal }) =>
      call('license-use', { body: { customerNumber: number, from: info.today, to: info.today }, signal }),
  })
  const served = (data?.features ?? []).filter(({ seats, inUse }) => seats !== null || inUse !== null)
  const loaded: Joined = {
    feature: wanted.feature ?? null,
    serverId: wanted.server?.serverId ?? '',
    seats: 1,
    hours: '8',
    userName: probableUserName(user.email),
    isNotified: canNotify() && Notification.permission === 'granted',
  }
  const form = useForm<Values, Joined>({
    loaded,
    valuesOf: ({ place: _, ...values }) => values,
    fields: FIELDS,
    validate: ({ feature, seats, userName }) => ({
      feature: feature === null ? 'Choose a feature.' : undefined,
      seats: seats !== null && Number.isInteger(seats) && seats >= 1 ? undefined : 'Enter a whole number of seats.',
      userName: userName.trim() === '' ? 'Enter the name under which you check out.' : undefined,
    }),
    save: async (values, _, idempotencyKey) => {
      const until = new Date(serverTime().getTime() + Number(values.hours) * HOUR)
      const body = {
        customerNumber: number,
        feature: values.feature ?? '',
        ...(values.serverId ? { serverId: values.serverId } : {}),
        seats: values.seats ?? 1,
        until: until.toISOString(),
        userName: values.userName,
      }
      const place = await call('license-use/waiting/join', { body, idempotencyKey })
      if (values.isNotified) void listenForSeat(user.email, until)
      return { ...values, place }
    },
    success: 'You are in line.',
    refusals: {
      ALREADY_WAITING: 'userName',
      TOO_MANY_SEATS: 'seats',
      INVALID_TIME: 'hours',
    },
    unchanged: 'Choose a feature.',
    canSaveUnchanged: wanted.feature !== undefined,
    isInDialog: true,
    onSaved({ place }) {
      if (place?.offer) showPanel('warning', offerText({ ...place, ...place.offer }))
      for (const queryKey of [[WAITING_KEY], ['home']]) void queries.invalidateQueries({ queryKey })
      onClose()
    },
  })
  const { feature, serverId } = form.values
  const servers = served.filter((row) => feature === null || row.feature === feature)
  return (
    <FormDialog form={form} title="Wait for a seat" size={520} onClose={onClose}>
      <Select
        {...form.field('feature')}
        label="Feature"
        placeholder={isLoading ? 'Loading…' : 'Choose what you need'}
        searchable
        data={[...new Set([...(wanted.feature ? [wanted.feature] : []), ...served.map((row) => row.feature)])].sort()}
        nothingFoundMessage={
          error ? 'The features could not be loaded.' : 'No license server has reported this feature.'
        }
        data-autofocus={wanted.feature === undefined || undefined}
      />
      <NativeSelect
        {...form.field('serverId')}
        label="License server"
        data={[
          { value: '', label: 'Any license server' },
          ...[
            ...new Map([
              ...(wanted.server ? [[wanted.server.serverId, wanted.server.name] as const] : []),
              ...servers.map((row) => [row.serverId, row.serverName] as const),
            ]),
          ].map(([value, name]) => ({ value, label: name.replaceAll(',', ', ') })),
        ]}
      />
      <NumberInput
        {...form.field('seats')}
        value={form.values.seats ?? ''}
        onChange={(value) => form.field('seats').onChange(typeof value === 'number' ? value : null)}
        label="Seats"
        description={useText(
          servers.filter((row) => feature !== null && (serverId === '' || row.serverId === serverId)),
        )}
        min={1}
        max={MAX_SEATS_WANTED}
        allowDecimal={false}
        data-autofocus={wanted.feature !== undefined || undefined}
      />
      <NativeSelect {...form.field('hours')} label="Wait for at most" data={TIMES} />
      <TextInput
        {...form.field('userName')}
        label="User name on the license server"
        description="By this name the portal sees that you have checked out. The line shows it to others."
        maxLength={200}
        spellCheck={false}
      />
      <Checkbox
        {...form.field('isNotified')}
        disabled={!canNotify()}
        label="Show a notification in this browser"
        description={
          canNotify() ? 'While the portal is open, also in the background.' : 'This browser does not allow it.'
        }
      />
      <Text size="sm" c="dimmed">
        First come, first served. You get an email when it is your turn. The seat is not locked: check out soon.
      </Text>
      <FormFooter save="Get in line" onClose={onClose} />
    </FormDialog>
  )
}

/** "4 of 5 seats in use" */
function useText(
  rows: readonly { readonly seats: number | null; readonly inUse: number | null }[],
): string | undefined {
  const known = rows.flatMap(({ seats, inUse }) => (seats === null || inUse === null ? [] : [{ seats, inUse }]))
  if (known.length === 0) return undefined
  const [used, all] = known.reduce(([used, all], { seats, inUse }) => [used + inUse, all + seats], [0, 0])
  return `${used} of ${countOf(all, 'seat')} in use now`
}
