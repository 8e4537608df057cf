import { Button } from '@mantine/core'
import { useMemo } from 'react'
import type { WebGroupAssignment } from '#contract/web-licenses/web-lists.ts'
import { useCan, useKnownCustomer } from '#web/lib/customer.tsx'
import { useUnassign } from '#web/modules/web-licenses/assignments/use-unassign.ts'
import { groupAssignmentColumns } from '#web/modules/web-licenses/web-columns.tsx'
import { groupAssignmentSource } from '#web/modules/web-licenses/web-licenses.api.ts'
import { DataTable } from '#web/table/data-table.tsx'
import { useTable } from '#web/table/use-table.ts'

const OF_ENTITLEMENT = groupAssignmentColumns('entitlement')
const OF_GROUP = groupAssignmentColumns('group')
const PAGE_SIZES = [10, 25, 50, 100] as const

type Props = { activationId: string; groupId?: undefined } | { groupId: string; activationId?: undefined }

/** The groups of an entitlement, or the entitlements of a group. */
export function GroupAssignmentTable({ activationId, groupId }: Props) {
  const { number } = useKnownCustomer()
  const mayWrite = useCan('web-licenses.write')
  const source = useMemo(() => groupAssignmentSource(number), [number])
  const unassign = useUnassign(() => undefined)
  const table = useTable({
    columns: activationId === undefined ? OF_GROUP : OF_ENTITLEMENT,
    rowKey,
    source,
    demands: () => [
      activationId === undefined
        ? { name: 'groupId', method: 'EQUALS', value: groupId }
        : { name: 'activationId', method: 'EQUALS', value: activationId },
    ],
    pageSizes: PAGE_SIZES,
  })
  return (
    <DataTable
      table={table}
      isPlain
      isTwoLine={activationId === undefined}
      label={activationId === undefined ? 'Entitlements of the group' : `Groups of ${activationId}`}
      what={activationId === undefined ? 'entitlements' : 'groups'}
      rowName={nameOf}
      noRows={activationId === undefined ? 'Nothing is assigned to this group.' : 'No group is assigned.'}
      {...(mayWrite
        ? {
            rowActions: (row: WebGroupAssignment) => (
              <Button
                size="compact-xs"
                variant="default"
                aria-label={`Unassign ${nameOf(row)}`}
                onClick={() => unassign.group(row)}
              >
                Unassign
              </Button>
            ),
          }
        : {})}
    />
  )
}

const rowKey = (row: WebGroupAssignment) => `${row.activationId} ${row.groupId}`
const nameOf = (row: WebGroupAssignment) => `${row.group} from ${row.product}`
