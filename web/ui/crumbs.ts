import { createContext } from 'react'
import { useMatches } from 'react-router'

/** One step of the breadcrumbs. A step without an address is a heading of the menu. */
export type Crumb = { text: string; to?: string }

/** The `handle` of every route of the portal. */
export type RouteHandle = {
  title: string
  crumbs: readonly Crumb[]
  /** The path of the menu entry that this route belongs to. */
  menuPath?: string
  /** Whether the route shows the selected account. */
  isOfAccount?: boolean
}

/** The group of the menu in which the screen stands for this account, where it is in the menu. */
export const MenuGroupContext = createContext<string | undefined>(undefined)

export function useRouteHandle(): RouteHandle | undefined {
  const handle = useMatches().at(-1)?.handle
  return isRouteHandle(handle) ? handle : undefined
}

function isRouteHandle(handle: unknown): handle is RouteHandle {
  return typeof handle === 'object' && handle !== null && 'title' in handle && 'crumbs' in handle
}
