import { useSearchParams } from 'react-router'

const TABS = ['entitlements', 'order', 'history'] as const
export type FsaTab = (typeof TABS)[number]

/** The tab that the address names. The first one has no name there. */
const TAB = 'tab'

export function useFsaTab(): [tab: FsaTab, open: (tab: FsaTab) => void] {
  const [search, setSearch] = useSearchParams()
  const tab = TABS.find((one) => one === search.get(TAB)) ?? TABS[0]
  const open = (next: FsaTab) =>
    setSearch((now) => {
      const address = new URLSearchParams(now)
      if (next === TABS[0]) address.delete(TAB)
      else address.set(TAB, next)
      return address
    })
  return [tab, open]
}
