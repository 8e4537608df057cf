import { Tabs } from '@mantine/core'
import { useSearchParams } from 'react-router'
import { useKnownCustomer } from '#web/lib/customer.tsx'
import { EntitlementTable } from '#web/modules/web-licenses/entitlement-table.tsx'
import { GroupsTab } from '#web/modules/web-licenses/groups.tab.tsx'
import { UsersTab } from '#web/modules/web-licenses/users.tab.tsx'
import { PageHead } from '#web/ui/page-head.tsx'
import classes from './web-licenses.module.css'

const TABS = ['groups', 'users', 'entitlements'] as const
type Tab = (typeof TABS)[number]

/** Web licenses by groups, users and entitlements. */
export function Page() {
  const { number, info } = useKnownCustomer()
  const [tab, open] = useTab()
  return (
    <>
      <PageHead context={`Who can use Named User and Shared Web licenses as of ${info.today} (${info.timeZone})`} />
      <Tabs key={number} value={tab} onChange={(next) => open((next ?? TABS[0]) as Tab)} keepMounted={false}>
        <Tabs.List className={classes.tabs} aria-label="Assignments">
          <Tabs.Tab value="groups">Groups</Tabs.Tab>
          <Tabs.Tab value="users">Users</Tabs.Tab>
          <Tabs.Tab value="entitlements">Entitlements</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="groups">
          <GroupsTab />
        </Tabs.Panel>
        <Tabs.Panel value="users">
          <UsersTab />
        </Tabs.Panel>
        <Tabs.Panel value="entitlements">
          <EntitlementTable hasGroups />
        </Tabs.Panel>
      </Tabs>
    </>
  )
}

/** The tab that the address names. The first one has no name there. */
function useTab(): [tab: Tab, open: (tab: Tab) => void] {
  const [search, setSearch] = useSearchParams()
  const tab = TABS.find((one) => one === search.get('tab')) ?? TABS[0]
  const open = (next: Tab) =>
    setSearch((now) => {
      const address = new URLSearchParams(now)
      if (next === TABS[0]) address.delete('tab')
      else address.set('tab', next)
      return address
    })
  return [tab, open]
}
