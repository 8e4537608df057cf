import { useMemo } from 'react'
import type { AssignmentLine } from '#contract/web-licenses/web-assignments.ts'
import type { WebEntitlement, WebGroup, WebUser } from '#contract/web-licenses/web-lists.ts'
import { useKnownCustomer } from '#web/lib/customer.tsx'
import { countText } from '#web/lib/format.ts'
import { ChooseRowsDialog } from '#web/modules/web-licenses/choose-rows.dialog.tsx'
import { hasRefused, showRefusedLines } from '#web/modules/web-licenses/line-results.tsx'
import { entitlementColumns, GROUP_COLUMNS, statusText, USER_COLUMNS } from '#web/modules/web-licenses/web-columns.tsx'
import {
  entitlementSource,
  groupSource,
  sendAssign,
  useReload,
  userSource,
} from '#web/modules/web-licenses/web-licenses.api.ts'

const plural = (count: number, one: string, many: string) => `${countText(count)} ${count === 1 ? one : many}`

/** Columns of these tables that help to choose; the others are on the screens. */
const USER_CHOICE = USER_COLUMNS.filter(({ id }) => ['name', 'email', 'groups', 'entitlements'].includes(id))
const GROUP_CHOICE = GROUP_COLUMNS.filter(({ id }) => id !== 'createdAt')
const ENTITLEMENT_CHOICE = ['product', 'licenseModel', 'seats', 'endDate', 'status']

type Answer = { data: AssignmentLine[] }

/** A panel reports full success; refused lines get a dialog. */
const success = ({ data }: Answer) => (hasRefused(data) ? undefined : 'The licenses have been assigned.')

/** Ends a dialog that assigned: every list is loaded again, and refused lines are shown. */
function useAssigned(onAssigned: () => void): (answer: Answer) => void {
  const { number } = useKnownCustomer()
  const reload = useReload(number)
  return ({ data }) => {
    onAssigned()
    void reload()
    if (hasRefused(data))
      showRefusedLines(data, ({ email, groupId, activationId }) => `${email ?? groupId} · ${activationId}`)
  }
}

/** Closing without assigning leaves the selection of the table as it was. */
type Ends = { onAssigned(): void; onClose(): void }
type ToHolders = Ends & { activationIds: readonly string[] }

export function AssignUsersDialog({ activationIds, onAssigned, onClose }: ToHolders) {
  const { number } = useKnownCustomer()
  const source = useMemo(() => userSource(number), [number])
  const onDone = useAssigned(onAssigned)
  return (
    <ChooseRowsDialog
      title="Assign users"
      about={`Each user gets ${plural(activationIds.length, 'entitlement', 'entitlements')}. A Named User entitlement gives each of them a seat.`}
      source={source}
      columns={USER_CHOICE}
      rowKey={userKey}
      rowName={userName}
      what="users"
      noRows="The account has no web users yet. Add or import them on the tab Users."
      act="Assign users"
      success={success}
      send={(emails, key) => sendAssign({ customerNumber: number, activationIds: [...activationIds], emails }, key)}
      onDone={onDone}
      onClose={onClose}
    />
  )
}

export function AssignGroupsDialog({ activationIds, onAssigned, onClose }: ToHolders) {
  const { number } = useKnownCustomer()
  const source = useMemo(() => groupSource(number), [number])
  const onDone = useAssigned(onAssigned)
  return (
    <ChooseRowsDialog
      title="Assign groups"
      about={`All members of a group get ${plural(activationIds.length, 'entitlement', 'entitlements')}, also those who join later.`}
      source={source}
      columns={GROUP_CHOICE}
      rowKey={groupKey}
      rowName={groupName}
      what="groups"
      noRows="The account has no groups yet. Create one on the tab Groups."
      act="Assign groups"
      success={success}
      send={(groupIds, key) => sendAssign({ customerNumber: number, activationIds: [...activationIds], groupIds }, key)}
      onDone={onDone}
      onClose={onClose}
    />
  )
}

type ToEntitlements = Ends & { emails?: readonly string[]; groupIds?: readonly string[] }

export function AssignEntitlementsDialog({ emails = [], groupIds = [], onAssigned, onClose }: ToEntitlements) {
  const { number, info } = useKnownCustomer()
  const source = useMemo(() => entitlementSource(number), [number])
  const columns = useMemo(
    () => entitlementColumns(info.today).filter(({ id }) => ENTITLEMENT_CHOICE.includes(id)),
    [info.today],
  )
  const onDone = useAssigned(onAssigned)
  const who = emails.length > 0 ? plural(emails.length, 'user', 'users') : plural(groupIds.length, 'group', 'groups')
  return (
    <ChooseRowsDialog
      title="Assign entitlements"
      about={`What you choose is assigned to ${who}. Expired entitlements cannot be assigned.`}
      source={source}
      columns={columns}
      rowKey={entitlementKey}
      rowName={entitlementName}
      canSelect={(row) => statusText(row, info.today) !== 'EXPIRED'}
      what="entitlements"
      noRows="The account has no Named User or Shared Web entitlements."
      act="Assign entitlements"
      success={success}
      send={(activationIds, key) =>
        sendAssign({ customerNumber: number, activationIds, emails: [...emails], groupIds: [...groupIds] }, key)
      }
      onDone={onDone}
      onClose={onClose}
    />
  )
}

export const userKey = (row: WebUser) => row.email
export const userName = (row: WebUser) => row.name || row.email
export const groupKey = (row: WebGroup) => row.groupId
export const groupName = (row: WebGroup) => row.name
export const entitlementKey = (row: WebEntitlement) => row.activationId
export const entitlementName = (row: WebEntitlement) => `${row.product} ${row.activationId}`
