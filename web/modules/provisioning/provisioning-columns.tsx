import type { MappingEffect, ScimCall, ScimGroup, ScimPerson } from '#contract/provisioning/provisioning.ts'
import { countText } from '#web/lib/format.ts'
import type { Column } from '#web/table/columns/column.ts'
import { countColumn, idColumn, textColumn, timeColumn, valuesColumn } from '#web/table/columns/column-kinds.ts'
import { SignalDot } from '#web/ui/signal-dot.tsx'

const stateText = ({ isActive }: ScimPerson) => (isActive ? 'Active' : 'Not active')

export const PERSON_COLUMNS: readonly Column<ScimPerson>[] = [
  textColumn('name', 'Name', 170, { phone: 'second line' }),
  textColumn('userName', 'User Name', 240, { flexible: { min: 200 }, phone: 'first line' }),
  {
    id: 'isActive',
    header: 'State',
    width: 100,
    phone: 'second line',
    text: stateText,
    cell: (row) => <SignalDot signal={row.isActive ? 'green' : 'none'}>{stateText(row)}</SignalDot>,
  },
  textColumn('role', 'Role', 200, { text: ({ role }) => role ?? 'None' }),
  textColumn('groups', 'Groups', 180),
  valuesColumn('department', 'Department', 150, { isHidden: true }),
  textColumn('costCenter', 'Cost Center', 120, { isHidden: true }),
  textColumn('email', 'Email', 230, { isHidden: true }),
  timeColumn('changedAt', 'Changed', 160, { isHidden: true }),
  idColumn('externalId', 'External Id', 144, { isHidden: true }),
  idColumn('id', 'Id', 144, { isHidden: true }),
]

export const GROUP_COLUMNS: readonly Column<ScimGroup>[] = [
  textColumn('name', 'Group', 280, { flexible: { min: 220 }, phone: 'first line' }),
  countColumn('members', 'Members', 100, { phone: 'second line' }),
  valuesColumn('gives', 'Gives', 260, { phone: 'second line' }),
  timeColumn('changedAt', 'Changed', 160),
  idColumn('externalId', 'External Id', 144, { isHidden: true }),
  idColumn('id', 'Id', 144, { isHidden: true }),
]

const outcomeText = ({ status, isFailed }: ScimCall) => `${isFailed ? 'Failed' : 'Done'} (${status})`

export const CALL_COLUMNS: readonly Column<ScimCall>[] = [
  timeColumn('time', 'Time', 160, { phone: 'second line' }),
  valuesColumn('method', 'Method', 84, { phone: 'first line' }),
  textColumn('path', 'Path', 240, { flexible: { min: 190 }, phone: 'first line' }),
  {
    id: 'status',
    header: 'Answer',
    width: 120,
    phone: 'second line',
    text: outcomeText,
    cell: (row) => <SignalDot signal={row.isFailed ? 'red' : 'green'}>{outcomeText(row)}</SignalDot>,
  },
  textColumn('reason', 'Reason', 200),
  valuesColumn('by', 'By', 150, { isHidden: true }),
  {
    id: 'milliseconds',
    header: 'Took',
    width: 84,
    kind: 'number',
    isHidden: true,
    text: ({ milliseconds }) => `${countText(milliseconds)} ms`,
  },
]

/** In the dialog, where the rows are in the browser already. */
export const EFFECT_COLUMNS: readonly Column<MappingEffect>[] = [
  textColumn('name', 'Name', 150, { phone: 'second line' }),
  textColumn('email', 'User', 220, { flexible: { min: 180 }, phone: 'first line' }),
  { id: 'gets', header: 'Gets', width: 180, phone: 'second line', text: ({ gets }) => gets.join(', ') },
  { id: 'loses', header: 'Loses', width: 180, phone: 'second line', text: ({ loses }) => loses.join(', ') },
]
