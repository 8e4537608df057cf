import { Tabs } from '@mantine/core'
import { lazy, Suspense } from 'react'
import { useKnownCustomer } from '#web/lib/customer.tsx'
import { EntitlementsTab } from '#web/modules/fsa/entitlements.tab.tsx'
import { HistoryTab } from '#web/modules/fsa/history.tab.tsx'
import { type FsaTab, useFsaAddress } from '#web/modules/fsa/use-fsa-address.ts'
import { useOrder } from '#web/modules/fsa/use-order.ts'
import { AskRequest } from '#web/parts/requests/ask-request.tsx'
import { PageHead } from '#web/ui/page-head.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

const OrderTab = lazy(async () => ({ default: (await import('#web/modules/fsa/order.tab.tsx')).OrderTab }))

/** Contracts with a balance, orders from them, and what was ordered. */
export function Page() {
  const { number } = useKnownCustomer()
  return (
    <>
      <PageHead actions={<AskRequest kind="order" />} />
      {/* An order belongs to its account. */}
      <FsaTabs key={number} />
    </>
  )
}

function FsaTabs() {
  const address = useFsaAddress()
  const order = useOrder(address)
  return (
    // What is being ordered is kept above the tabs, so that none of them has to stay mounted.
    <Tabs
      value={address.tab}
      onChange={(next) => address.open((next ?? 'entitlements') as FsaTab, order.chosen?.fsaID)}
      keepMounted={false}
    >
      <Tabs.List mb="0.75rem" aria-label="Flexible Spending Account">
        <Tabs.Tab value="entitlements">Entitlements</Tabs.Tab>
        <Tabs.Tab value="order">Order Products</Tabs.Tab>
        <Tabs.Tab value="history">History</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="entitlements">
        <EntitlementsTab onOrder={(entitlementId) => address.open('order', entitlementId)} />
      </Tabs.Panel>
      <Tabs.Panel value="order">
        <Suspense fallback={<Skeleton />}>
          <OrderTab order={order} />
        </Suspense>
      </Tabs.Panel>
      <Tabs.Panel value="history">
        <HistoryTab />
      </Tabs.Panel>
    </Tabs>
  )
}
