import { ACTION_WORDS } from '#domain/activations/history/history-groups.ts'
import { LICENSE_FILE_STATES } from '#domain/activations/license-files/license-file.ts'
import type { FilterInput } from '#domain/filter/filter.ts'
import { type HostRow, historyCriterion, isHistoryField } from '#web/modules/activations/history/host-history.api.ts'
import { EndDay, HostId, peopleText } from '#web/modules/activations/history/lines.tsx'
import { nameOf } from '#web/modules/activations/plans/plan-names.ts'
import { entitlementCell } from '#web/parts/entitlement/entitlement-cell.tsx'
import { HostLink } from '#web/parts/host-link.tsx'
import { type Column, fieldOf } from '#web/table/columns/column.ts'
import { countColumn, dayColumn, idColumn, textColumn, timeColumn } from '#web/table/columns/column-kinds.ts'
import { criteriaOf } from '#web/table/filters/filter-criteria.ts'
import type { Question } from '#web/table/list/use-request.ts'
import type { TableView } from '#web/table/view/table-view.ts'

const TEXT = { kind: 'text' } as const

/** The host, and the newest entry of its history that the filters find. */
export const HOST_COLUMNS: readonly Column<HostRow>[] = [
  textColumn('serverName', 'Host Name', 136, {
    isSticky: true,
    phone: 'first line',
    text: nameOf,
    cell: (row: HostRow) => <HostLink host={row} />,
  }),
  idColumn('hostid', 'Host ID', 220, { phone: 'second line', cell: (row) => <HostId id={row.hostid} /> }),
  timeColumn('time', 'Time', 148),
  textColumn('modifiedby', 'Modified By', 196, {
    flexible: { min: 150 },
    cell: (row) => peopleText(row.modifiedby),
  }),
  {
    id: 'action',
    field: 'actionword',
    header: 'Action',
    width: 108,
    filter: { ...TEXT, hasValues: Object.values(ACTION_WORDS) },
    text: (row) => row.actionword,
  },
  textColumn('licenseFile', 'License File', 120, {
    filter: { ...TEXT, hasValues: LICENSE_FILE_STATES },
    isHidden: true,
  }),
  {
    id: 'entitlement',
    field: 'ansysproduct',
    header: 'Entitlement',
    width: 270,
    filter: TEXT,
    isHidden: true,
    text: (row) => `${row.ansysproduct} ${row.activationid}`,
    cell: (row) => entitlementCell({ product: row.ansysproduct, activationId: row.activationid }),
  },
  countColumn('count', 'Count', 84, { isHidden: true }),
  dayColumn('startdate', 'Start Date', 108, { isHidden: true }),
  dayColumn('enddate', 'Expiration Date', 150, {
    filter: TEXT,
    isHidden: true,
    cell: (row) => <EndDay text={row.enddate} />,
  }),
]

/** Filters on the host go to the list of hosts, all others to one entry of its history. */
export function hostQuestion({ filters, sorting }: Pick<TableView, 'filters' | 'sorting'>): Question {
  const columns = HOST_COLUMNS.filter(({ id }) => id !== 'entitlement')
  const criteria = criteriaOf(columns, filters)
  const nameOf = (one: FilterInput['criteria'][number]): string =>
    'name' in one ? one.name : (one.criteria.map(nameOf)[0] ?? '')
  const ofEntries = criteria.filter((one) => isHistoryField(nameOf(one)))
  // A product is found by its name and by its activation id.
  const ofEntitlement = ['ansysproduct', 'activationid'].flatMap((field) =>
    criteriaOf([{ id: 'entitlement', field, filter: TEXT }], filters),
  )
  const history: FilterInput = {
    condition: 'ALL',
    criteria: [
      ...ofEntries,
      ...(ofEntitlement.length > 0 ? [{ condition: 'ANY' as const, criteria: ofEntitlement }] : []),
    ],
  }
  return {
    filter: {
      condition: 'ALL',
      criteria: [historyCriterion(history), ...criteria.filter((one) => !isHistoryField(nameOf(one)))],
    },
    sorting: sorting.map(({ column, direction }) => ({
      name: fieldOf(HOST_COLUMNS.find(({ id }) => id === column) ?? { id: column }),
      direction,
    })),
  }
}
