import { NativeSelect, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo, useRef } from 'react'
import type { MappingEffect, ScimGroup } from '#contract/provisioning/provisioning.ts'
import type { Fields as ListFields } from '#domain/filter/fields.ts'
import { GIVEN_ROLES } from '#domain/provisioning/wanted-access.ts'
import type { Fields } from '#web/form/fields.ts'
import { FormDialog } from '#web/form/form.tsx'
import { FormFooter } from '#web/form/form-footer.tsx'
import { useForm } from '#web/form/use-form.ts'
import { call } from '#web/lib/api/api-client.ts'
import { query } from '#web/lib/api/api-query.ts'
import { useKnownCustomer } from '#web/lib/customer.tsx'
import { countText } from '#web/lib/format.ts'
import { reloadProvisioning, webGroupsQuery } from '#web/modules/provisioning/provisioning.api.ts'
import { EFFECT_COLUMNS } from '#web/modules/provisioning/provisioning-columns.tsx'
import { DataTable } from '#web/table/data-table.tsx'
import { rowsSource } from '#web/table/list/use-loaded-list.ts'
import { useTable } from '#web/table/use-table.ts'
import { FailureNotice } from '#web/ui/failure-notice.tsx'
import { showPanel } from '#web/ui/panels.ts'
import { SignalStrip } from '#web/ui/signal-strip.tsx'
import { Spinner } from '#web/ui/spinner.tsx'

type Target = Pick<ScimGroup, 'role' | 'webGroupId'>
/** A target as one text, for the field: empty for nothing. */
type Values = { gives: string }

const ROLE = 'role '
const WEB_GROUP = 'web group '
const textOf = ({ role, webGroupId }: Target): string =>
  role !== null ? ROLE + role : webGroupId !== null ? WEB_GROUP + webGroupId : ''
const targetOf = (text: string): Target => ({
  role: GIVEN_ROLES.find((role) => text === ROLE + role) ?? null,
  webGroupId: text.startsWith(WEB_GROUP) ? text.slice(WEB_GROUP.length) : null,
})

/** Chooses what the members of a group get, and shows before it is saved who gets and loses what. */
export function MappingDialog({ group, onClose }: { group: ScimGroup; onClose(): void }) {
  const { number } = useKnownCustomer()
  const queries = useQueryClient()
  const held = useRef<readonly string[]>([])
  const webGroups = useQuery(webGroupsQuery(number))
  const names = new Map((webGroups.data ?? []).map(({ groupId, name }) => [WEB_GROUP + groupId, `Web group ${name}`]))
  const fields: Fields<Values> = { gives: { label: 'Gives', text: (gives) => giveText(gives, names) } }
  const form = useForm<Values, Target>({
    loaded: { role: group.role, webGroupId: group.webGroupId },
    valuesOf: (target) => ({ gives: textOf(target) }),
    fields,
    save: async ({ gives }, oldTarget, key) => {
      const target = targetOf(gives)
      const { heldBack } = await call('provisioning/mapping', {
        body: { customerNumber: number, groupId: group.id, target, oldTarget },
        idempotencyKey: key,
      })
      held.current = heldBack.map(({ email }) => email)
      return target
    },
    success: 'The mapping has been saved.',
    refusals: { LAST_ADMINISTRATOR: 'gives' },
    isInDialog: true,
    unchanged: 'Choose something else.',
    onSaved() {
      if (held.current.length > 0) showPanel('warning', heldBackText(held.current))
      void reloadProvisioning(queries, number)
      onClose()
    },
  })
  const { gives } = form.values
  return (
    <FormDialog form={form} title={`What ${group.name} gives`} size={760} onClose={onClose}>
      <NativeSelect
        {...form.field('gives')}
        label="Members get"
        description="A person in several groups gets the role with the most rights, and every web group."
        data={[
          { value: '', label: 'Nothing' },
          { group: 'Role in the portal', items: GIVEN_ROLES.map((role) => ({ value: ROLE + role, label: role })) },
          ...(names.size > 0
            ? [{ group: 'Web group', items: [...names].map(([value, label]) => ({ value, label })) }]
            : []),
        ]}
        data-autofocus
      />
      {gives !== textOf(group) && <Preview customerNumber={number} groupId={group.id} target={targetOf(gives)} />}
      <FormFooter save="Save" onClose={onClose} />
    </FormDialog>
  )
}

const giveText = (gives: string, names: ReadonlyMap<string, string>) =>
  gives === '' ? 'Nothing' : (targetOf(gives).role ?? names.get(gives) ?? 'Web group')

type PreviewProps = { customerNumber: string; groupId: string; target: Target }

function Preview({ customerNumber, groupId, target }: PreviewProps) {
  const { data, error, refetch } = useQuery({
    ...query('provisioning/mapping/preview', { body: { customerNumber, groupId, target } }),
    staleTime: 0,
    gcTime: 0,
  })
  if (error) return <FailureNotice failure={error} onRetry={() => void refetch()} />
  if (data === undefined) return <Spinner />
  if (data.length === 0) return <Text role="status">Nobody gets or loses anything.</Text>
  return (
    <>
      <SignalStrip signal={data.some(({ loses }) => loses.length > 0) ? 'orange' : 'blue'} role="status">
        {summaryOf(data)}
      </SignalStrip>
      <Effects key={textOf(target)} rows={data} />
    </>
  )
}

/** "12 people get something, 3 people lose something." */
function summaryOf(effects: readonly MappingEffect[]): string {
  const gets = effects.filter((one) => one.gets.length > 0).length
  const loses = effects.filter((one) => one.loses.length > 0).length
  const parts = [
    ...(gets > 0 ? [`${people(gets)} ${gets === 1 ? 'gets' : 'get'} something`] : []),
    ...(loses > 0 ? [`${people(loses)} ${loses === 1 ? 'loses' : 'lose'} something`] : []),
  ]
  return `${parts.join(', ')}.`
}

const MAX_NAMED = 3

/** People for whom the web group has no free seat. */
function heldBackText(emails: readonly string[]): string {
  const others = emails.length - MAX_NAMED
  const named = emails.slice(0, MAX_NAMED).join(', ')
  return `No seat is free for ${named}${others > 0 ? ` and ${countText(others)} more` : ''}. The portal tries again with the next change.`
}

const people = (count: number) => (count === 1 ? '1 person' : `${countText(count)} people`)

const FIELDS = {
  name: { type: 'text' },
  email: { type: 'text' },
} as const satisfies ListFields
const PAGE_SIZES = [10, 25, 50, 100] as const

function Effects({ rows }: { rows: readonly MappingEffect[] }) {
  const source = useMemo(() => rowsSource(['mapping-effects'], FIELDS, rows), [rows])
  const table = useTable({ columns: EFFECT_COLUMNS, rowKey, source, pageSizes: PAGE_SIZES })
  return <DataTable table={table} isPlain label="Who gets and loses what" what="people" noRows="Nobody." />
}

const rowKey = ({ email }: MappingEffect) => email
