import type { ReactNode } from 'react'
import { EntitlementTable } from '#web/modules/web-licenses/entitlements/entitlement-table.tsx'
import { SeatTable } from '#web/modules/web-licenses/entitlements/seat-table.tsx'
import { GroupsTab } from '#web/modules/web-licenses/groups/groups.tab.tsx'
import { UsersTab } from '#web/modules/web-licenses/users/users.tab.tsx'
import { AddressedTabs } from '#web/ui/addressed-tabs.tsx'
import { PageHead } from '#web/ui/page-head.tsx'

const TABS = {
  entitlements: {
    title: 'Entitlements',
    content: () => (
      <>
        <EntitlementTable />
        <SeatTable />
      </>
    ),
  },
  users: { title: 'Users', content: () => <UsersTab /> },
  groups: { title: 'Groups', content: () => <GroupsTab /> },
} as const satisfies Record<string, { title: string; content(): ReactNode }>
type Tab = keyof typeof TABS

/** Web entitlements with those who can use them; users and groups. */
export const AssignmentsPage = () => <AssignmentTabs tabs={['entitlements', 'users', 'groups']} />

export const GroupsPage = () => <AssignmentTabs tabs={['groups', 'users', 'entitlements']} />

/** Everything about the assignments of web licenses. Both screens have it, each with its own tab first. */
function AssignmentTabs({ tabs }: { tabs: readonly [Tab, ...Tab[]] }) {
  return (
    <>
      <PageHead />
      <AddressedTabs label="Assignments" tabs={tabs} contents={TABS} />
    </>
  )
}
