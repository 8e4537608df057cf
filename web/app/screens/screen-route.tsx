import type { ComponentType } from 'react'
import type { RouteObject } from 'react-router'
import { ScreenGate } from '#web/app/screens/screen-gate.tsx'
import { ScreenSkeleton } from '#web/app/screens/screen-skeleton.tsx'
import { RouteFailure } from '#web/app/shell/route-failure.tsx'
import type { Screen } from '#web/lib/address/screen.ts'
import type { Crumb, RouteHandle } from '#web/ui/crumbs.ts'

export function screenRoute(screen: Screen): RouteObject {
  return {
    path: screen.path,
    handle: {
      title: screen.title,
      crumbs: crumbsOf(screen),
      menuPath: screen.parent?.path ?? screen.path,
      isOfAccount: screen.customer !== 'ignored',
    } satisfies RouteHandle,
    errorElement: <RouteFailure />,
    // Inside of the frame, which does not wait for the code of the first screen.
    hydrateFallbackElement: <ScreenSkeleton />,
    lazy: { Component: () => componentOf(screen) },
  }
}

async function componentOf(screen: Screen): Promise<ComponentType> {
  try {
    const { Page } = await screen.page()
    return () => (
      <ScreenGate screen={screen}>
        <Page />
      </ScreenGate>
    )
  } catch (error) {
    // The router draws nothing when a chunk fails to load. Throwing while rendering shows the error page instead.
    return () => {
      throw error
    }
  }
}

function crumbsOf({ path, group, parent }: Screen): Crumb[] {
  if (path === 'home') return []
  return [
    { text: 'Home', to: '/home' },
    ...(group ? [{ text: group }] : []),
    ...(parent ? [{ text: parent.title, to: `/${parent.path}` }] : []),
  ]
}
