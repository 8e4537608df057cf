import { Tabs } from '@mantine/core'
import { useKnownCustomer } from '#web/lib/customer.tsx'
import { EntitlementsTab } from '#web/modules/fsa/entitlements.tab.tsx'
import { HistoryTab } from '#web/modules/fsa/history.tab.tsx'
import { type FsaTab, useFsaTab } from '#web/modules/fsa/use-fsa-tab.ts'
import { PageHead } from '#web/ui/page-head.tsx'
import classes from './fsa.module.css'

/** Contracts with a balance, orders from them, and what was ordered. */
export function Page() {
  const { info } = useKnownCustomer()
  const [tab, open] = useFsaTab()
  return (
    <>
      <PageHead context={`Contracts, balances and orders as of ${info.today} (${info.timeZone})`} />
      <Tabs value={tab} onChange={(next) => open((next ?? 'entitlements') as FsaTab)} keepMounted={false}>
        <Tabs.List className={classes.tabs} aria-label="Flexible Spending Account">
          <Tabs.Tab value="entitlements">Entitlements</Tabs.Tab>
          <Tabs.Tab value="order">Order Products</Tabs.Tab>
          <Tabs.Tab value="history">History</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="entitlements">
          <EntitlementsTab onOrder={() => open('order')} />
        </Tabs.Panel>
        <Tabs.Panel value="order">The contracts and the history of orders can be viewed in the other tabs.</Tabs.Panel>
        <Tabs.Panel value="history">
          <HistoryTab />
        </Tabs.Panel>
      </Tabs>
    </>
  )
}
