import { useLocation, useNavigate } from 'react-router'
import { leaveSafely } from '#web/lib/unsaved-changes.ts'

const TAB = 'tab'

/** The tab that the address names. The default has no name there: the first one, unless said otherwise. */
export function useTab<Tab extends string>(
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
