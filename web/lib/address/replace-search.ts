/** The search part of the current address, of which the router may know an older version. */
export const currentSearch = () => new URLSearchParams(window.location.search)

/**
 * Changes the search part of the current address. The router does not see the change: nothing else depends on it, and
 * the history entry keeps its key, so that Back returns to the same address and scroll position.
 */
export function replaceSearch(change: (search: string) => string): void {
  const { pathname, search, hash } = window.location
  const next = change(search)
  if (next !== search) window.history.replaceState(window.history.state, '', pathname + next + hash)
}
