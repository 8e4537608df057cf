import { useLocation, useNavigate } from 'react-router'
import { currentSearch } from '#web/lib/address/replace-search.ts'

const COMPARE = 'compare'

/** Whether a screen compares its period with the one before. The address knows it, so that a link shows the same. */
export type Comparison = { readonly isOn: boolean; toggle(): void }

export function useComparison(): Comparison {
  const isOn = new URLSearchParams(useLocation().search).has(COMPARE)
  const navigate = useNavigate()
  return {
    isOn,
    toggle() {
      const address = currentSearch()
      if (isOn) address.delete(COMPARE)
      else address.set(COMPARE, 'before')
      void navigate({ search: String(address) }, { replace: true, preventScrollReset: true })
    },
  }
}
