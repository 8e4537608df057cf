import { useLocation, useNavigate } from 'react-router'
import { replaceSearch } from '#web/lib/replace-search.ts'

const TABS = ['entitlements', 'order', 'history'] as const
export type FsaTab = (typeof TABS)[number]

/** The first tab has no name in the address. */
const TAB = 'tab'
/** What the order tab orders from. */
const CONTRACT = 'contract'

export type FsaAddress = ReturnType<typeof useFsaAddress>

/** The tab, and on the order tab its contract, are in the address: they survive a reload and can be sent to somebody. */
export function useFsaAddress() {
  const { search, key } = useLocation()
  const navigate = useNavigate()
  const tab = TABS.find((one) => one === new URLSearchParams(search).get(TAB)) ?? TABS[0]
  return {
    tab,
    /** Changes with every visit: after a link, Back, Forward or a change of tabs. */
    visit: key,
    open(next: FsaTab, contract?: string) {
      // Reads the window's address, because tables change the search part without the router.
      const params = new URLSearchParams(window.location.search)
      set(params, TAB, next === TABS[0] ? undefined : next)
      set(params, CONTRACT, next === 'order' ? contract : undefined)
      void navigate({ search: String(params) })
    },
  }
}

/** The contract that the current address names. It may be any text. */
export function contractInAddress(): string | undefined {
  return new URLSearchParams(window.location.search).get(CONTRACT) ?? undefined
}

export function keepContractInAddress(contract: string | undefined): void {
  replaceSearch((search) => {
    const params = new URLSearchParams(search)
    set(params, CONTRACT, contract)
    return `?${params}`
  })
}

function set(params: URLSearchParams, name: string, value: string | undefined): void {
  if (value === undefined) params.delete(name)
  else params.set(name, value)
}
