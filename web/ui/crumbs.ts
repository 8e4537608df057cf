import { useMatches } from 'react-router'

/** One step of the way to a screen; a step without an address is a heading of the menu. */
export type Crumb = { text: string; to?: string }

/** What every route of the portal says about itself. */
export type RouteHandle = { title: string; crumbs: readonly Crumb[] }

export function useRouteHandle(): RouteHandle | undefined {
  const handle = useMatches().at(-1)?.handle
  return isRouteHandle(handle) ? handle : undefined
}

function isRouteHandle(handle: unknown): handle is RouteHandle {
  return typeof handle === 'object' && handle !== null && 'title' in handle && 'crumbs' in handle
}
