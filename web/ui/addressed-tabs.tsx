import { Tabs } from '@mantine/core'
import { type ReactNode, Suspense } from 'react'
import { useKnownCustomer } from '#web/lib/customer.tsx'
import { useTab } from '#web/lib/use-tab.ts'
import { Skeleton } from '#web/ui/skeleton.tsx'

type Props<Tab extends string> = {
  label: string
  tabs: readonly [Tab, ...Tab[]]
  contents: Readonly<Record<Tab, { readonly title: string; content(): ReactNode }>>
  /** The tab of an address that names none; the first one unless given. */
  fallbackOf?: (search: URLSearchParams) => Tab
}

/** The tabs of a screen. The address names the open one, and only that one is loaded. */
export function AddressedTabs<Tab extends string>({ label, tabs, contents, fallbackOf }: Props<Tab>) {
  const { number } = useKnownCustomer()
  const [tab, open] = useTab(tabs, fallbackOf)
  return (
    <Tabs key={number} value={tab} onChange={open} keepMounted={false}>
      <Tabs.List mb="1rem" aria-label={label}>
        {tabs.map((one) => (
          <Tabs.Tab key={one} value={one}>
            {contents[one].title}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {tabs.map((one) => (
        <Tabs.Panel key={one} value={one}>
          <Suspense fallback={<Skeleton />}>{contents[one].content()}</Suspense>
        </Tabs.Panel>
      ))}
    </Tabs>
  )
}
