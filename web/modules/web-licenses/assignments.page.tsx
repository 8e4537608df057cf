import { Tabs } from '@mantine/core'
import type { ReactNode } from 'react'
import { useKnownCustomer } from '#web/lib/customer.tsx'
import { ZONE_NOTE } from '#web/lib/format.ts'
import { useTab } from '#web/lib/use-tab.ts'
import { EntitlementTable } from '#web/modules/web-licenses/entitlement-table.tsx'
import { GroupsTab } from '#web/modules/web-licenses/groups.tab.tsx'
import { SeatTable } from '#web/modules/web-licenses/seat-table.tsx'
import { UsersTab } from '#web/modules/web-licenses/users.tab.tsx'
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
  const { number, info } = useKnownCustomer()
  const [tab, open] = useTab(tabs)
  return (
    <>
      <PageHead
        context={`Who can use Named User and Shared Web licenses as of ${info.today} (${info.timeZone}). ${ZONE_NOTE}`}
      />
      <Tabs key={number} value={tab} onChange={open} keepMounted={false}>
        <Tabs.List mb="1rem" aria-label="Assignments">
          {tabs.map((one) => (
            <Tabs.Tab key={one} value={one}>
              {TABS[one].title}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {tabs.map((one) => (
          <Tabs.Panel key={one} value={one}>
            {TABS[one].content()}
          </Tabs.Panel>
        ))}
      </Tabs>
    </>
  )
}
