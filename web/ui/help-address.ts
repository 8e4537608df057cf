import { useSearchParams } from 'react-router'
import { currentSearch } from '#web/lib/address/replace-search.ts'

/** The search parameter that names the open page of the guide; empty for the page of the current screen. */
export const HELP = 'help'

/** An address of the portal with a page of the guide open above it. */
export function withHelp(address: string, page: string): string {
  const url = new URL(address, 'http://portal')
  url.searchParams.set(HELP, page)
  return url.pathname + url.search + url.hash
}

/** Opens the page of the guide for the current screen. */
export function useOpenHelp(): () => void {
  const [, setSearch] = useSearchParams()
  return () =>
    setSearch(
      () => {
        const next = currentSearch()
        next.set(HELP, '')
        return next
      },
      { preventScrollReset: true },
    )
}
