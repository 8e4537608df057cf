import { useEffect } from 'react'
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

const CONTRACT = 'contract'

/** The contract that the address names. */
export function useContractInAddress(): string | undefined {
  return useSearchParams()[0].get(CONTRACT) ?? undefined
}

/** Keeps the chosen contract in the address of the order tab, so that it survives a reload. */
export function useKeptContract(fsaId: string | undefined): void {
  const [search, setSearch] = useSearchParams()
  const kept = search.get(TAB) === 'order' ? fsaId : undefined
  const isKept = (search.get(CONTRACT) ?? undefined) === kept
  useEffect(() => {
    if (isKept) return
    setSearch(
      (now) => {
        const address = new URLSearchParams(now)
        if (kept === undefined) address.delete(CONTRACT)
        else address.set(CONTRACT, kept)
        return address
      },
      { replace: true },
    )
  }, [isKept, kept])
}
