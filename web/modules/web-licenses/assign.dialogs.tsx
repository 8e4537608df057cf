import { useMemo } from 'react'
import type { AssignmentLine } from '#contract/web-licenses/web-assignments.ts'
import type { WebEntitlement, WebGroup, WebUser } from '#contract/web-licenses/web-lists.ts'
import { useKnownCustomer } from '#web/lib/customer.tsx'
import { countText } from '#web/lib/format.ts'
import { ChooseRowsDialog } from '#web/modules/web-licenses/choose-rows.dialog.tsx'
import { showLineResults } from '#web/modules/web-licenses/line-results.tsx'
import { entitlementColumns, GROUP_COLUMNS, statusText, USER_COLUMNS } from '#web/modules/web-licenses/web-columns.tsx'
import {
  entitlementSource,
  groupSource,
  sendAssign,
  useReload,
  userSource,
} from '#web/modules/web-licenses/web-licenses.api.ts'

const DONE = 'The licenses have been assigned.'
const plural = (count: number, one: string, many: string) => `${countText(count)} ${count === 1 ? one : many}`

/** Columns of these tables that help to choose; the others are on the screens. */
const USER_CHOICE = USER_COLUMNS.filter(({ id }) => ['name', 'email', 'groups', 'entitlements'].includes(id))
const GROUP_CHOICE = GROUP_COLUMNS.filter(({ id }) => id !== 'createdAt')
const ENTITLEMENT_CHOICE = ['product', 'licenseModel', 'seats', 'endDate', 'status']

/** Ends a dialog that assigned: every list is loaded again, and refused lines are shown. */
function useAssigned(): (answer: { data: AssignmentLine[] }) => void {
  const { number } = useKnownCustomer()
  const reload = useReload(number)
  return ({ data }) => {
    void reload()
    const refused = data.some(({ status }) => status === 'FAILURE')
    // A panel says it where everything was done.
    if (refused)
      showLineResults(data, DONE, ({ email, groupId, activationId }) => `${email ?? groupId} · ${activationId}`)
  }
}

type ToHolders = { activationIds: readonly string[]; onClose(): void }

export function AssignUsersDialog({ activationIds, onClose }: ToHolders) {
  const { number } = useKnownCustomer()
  const source = useMemo(() => userSource(number), [number])
  const onDone = useAssigned()
  return (
    <ChooseRowsDialog
      title="Assign users"
      about={`Each user gets ${plural(activationIds.length, 'entitlement', 'entitlements')}. A Named User entitlement gives each of them a seat.`}
      source={source}
      columns={USER_CHOICE}
      rowKey={userKey}
      rowName={userName}
      what="users"
      noRows="The account has no web users yet. Import or add users first."
      act="Assign users"
      success={DONE}
      send={(emails, key) => sendAssign({ customerNumber: number, activationIds: [...activationIds], emails }, key)}
      onDone={onDone}
      onClose={onClose}
    />
  )
}

export function AssignGroupsDialog({ activationIds, onClose }: ToHolders) {
  const { number } = useKnownCustomer()
  const source = useMemo(() => groupSource(number), [number])
  const onDone = useAssigned()
  return (
    <ChooseRowsDialog
      title="Assign groups"
      about={`All members of a group get ${plural(activationIds.length, 'entitlement', 'entitlements')}, also those who join later.`}
      source={source}
      columns={GROUP_CHOICE}
      rowKey={groupKey}
      rowName={groupName}
      what="groups"
      noRows="The account has no groups yet."
      act="Assign groups"
      success={DONE}
      send={(groupIds, key) => sendAssign({ customerNumber: number, activationIds: [...activationIds], groupIds }, key)}
      onDone={onDone}
      onClose={onClose}
    />
  )
}

type ToEntitlements = { emails?: readonly string[]; groupIds?: readonly string[]; onClose(): void }

export function AssignEntitlementsDialog({ emails = [], groupIds = [], onClose }: ToEntitlements) {
  const { number, info } = useKnownCustomer()
  const source = useMemo(() => entitlementSource(number), [number])
  const columns = useMemo(
    () => entitlementColumns(info.today).filter(({ id }) => ENTITLEMENT_CHOICE.includes(id)),
    [info.today],
  )
  const onDone = useAssigned()
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
      success={DONE}
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
