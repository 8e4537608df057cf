import { Tabs } from '@mantine/core'
import { type ReactNode, Suspense } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { useKnownCustomer } from '#web/lib/customer.tsx'
import { leaveSafely } from '#web/lib/kept/unsaved-changes.ts'
import { Skeleton } from '#web/ui/skeleton.tsx'

const TAB = 'tab'

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
      <Tabs.List className="one-row" mb={6} aria-label={label}>
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

/** The tab that the address names. The default has no name there: the first one, unless said otherwise. */
function useTab<Tab extends string>(
  tabs: readonly [Tab, ...Tab[]],
  fallbackOf: (search: URLSearchParams) => Tab = () => tabs[0],
): [tab: Tab, open: (tab: string | null) => void] {
  const params = new URLSearchParams(useLocation().search)
  const navigate = useNavigate()
  const tab = tabs.find((one) => one === params.get(TAB)) ?? fallbackOf(params)
  const open = (next: string | null) => {
    // Reads the window's address, because tables change the search part without the router.
    const address = new URLSearchParams(window.location.search)
    if (next === null || next === fallbackOf(address)) address.delete(TAB)
    else address.set(TAB, next)
    leaveSafely(() => void navigate({ search: String(address) }))
  }
  return [tab, open]
}
