import { useLocation, useNavigate } from 'react-router'
import { replaceSearch } from '#web/lib/address/replace-search.ts'

const TABS = ['entitlements', 'order', 'history'] as const
export type FsaTab = (typeof TABS)[number]

/** The first tab has no name in the address. */
const TAB = 'tab'
/** What the order tab orders from. */
const CONTRACT = 'contract'
/** The line that an order begins with: a part number and how many. */
const [PRODUCT, COUNT] = ['product', 'count']

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

/** The line that the current address asks for. Both may be any text. */
export function lineInAddress(): { readonly partNumber: string; readonly count: number } | undefined {
  const params = new URLSearchParams(window.location.search)
  const [partNumber, count] = [params.get(PRODUCT), Number(params.get(COUNT))]
  return partNumber && Number.isInteger(count) && count > 0 ? { partNumber, count } : undefined
}

/** The line is asked for once: after a reload it may have been ordered. */
export function keepContractInAddress(contract: string | undefined): void {
  replaceSearch((search) => {
    const params = new URLSearchParams(search)
    set(params, CONTRACT, contract)
    for (const name of [PRODUCT, COUNT]) set(params, name, undefined)
    return `?${params}`
  })
}

function set(params: URLSearchParams, name: string, value: string | undefined): void {
  if (value === undefined) params.delete(name)
  else params.set(name, value)
}
