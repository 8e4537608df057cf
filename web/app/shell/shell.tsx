import { Drawer, VisuallyHidden } from '@mantine/core'
import { useDisclosure, useDocumentTitle } from '@mantine/hooks'
import { startTransition, useEffect, useRef, useState } from 'react'
import { Outlet, ScrollRestoration, useLocation } from 'react-router'
import { IdleWarning } from '#web/app/identity/idle-warning.tsx'
import { MenuFooter } from '#web/app/menu/menu-footer.tsx'
import { useMenuLook } from '#web/app/menu/menu-look.ts'
import { SideMenu } from '#web/app/menu/side-menu.tsx'
import { useMenu } from '#web/app/menu/use-menu.ts'
import { ScreenSkeleton } from '#web/app/screens/screen-skeleton.tsx'
import { Logo } from '#web/app/shell/logo.tsx'
import { Toolbar } from '#web/app/shell/toolbar.tsx'
import { UnsavedChangesGuard } from '#web/app/shell/unsaved-changes-guard.tsx'
import { useShownAccount } from '#web/lib/customer.tsx'
import { runtimeConfig } from '#web/lib/runtime-config.ts'
import { AlertBanner } from '#web/modules/messages/alert-banner.tsx'
import { MenuGroupContext, useRouteHandle } from '#web/ui/crumbs.ts'
import { PanelList } from '#web/ui/panel-list.tsx'
import classes from './shell.module.css'

/** The frame around every screen. */
export function Shell() {
  const { isNarrow, toggleNarrow } = useMenuLook()
  const [isDrawerOpen, drawer] = useDisclosure(false)
  const groups = useMenu()
  const route = useRouteHandle()
  const group = groups.find(({ entries }) => entries.some(({ path }) => path === route?.menuPath))?.title
  const title = route?.title
  const shown = useShownAccount()
  const account = route?.isOfAccount ? shown?.name : undefined
  useDocumentTitle([account, title, account ? undefined : runtimeConfig().brand.name].filter(Boolean).join(' · '))
  const isFrameDrawn = useIsFrameDrawn()
  const main = useFocusAfterNavigation()

  return (
    <>
      <a href="#main" className={classes.skip}>
        Skip to content
      </a>
      <Toolbar isMenuNarrow={isNarrow} onToggleMenu={toggleNarrow} onOpenDrawer={drawer.open} />
      <div className={classes.frame} data-narrow={isNarrow || undefined}>
        <nav className={classes.menu} aria-label="Main">
          <SideMenu groups={groups} isNarrow={isNarrow} />
          <MenuFooter isNarrow={isNarrow} />
        </nav>
        <div className={classes.content}>
          <AlertBanner />
          <main ref={main} id="main" tabIndex={-1} className={classes.main}>
            <PanelList />
            <MenuGroupContext value={group}>{isFrameDrawn ? <Outlet /> : <ScreenSkeleton />}</MenuGroupContext>
          </main>
        </div>
      </div>
      <Drawer
        opened={isDrawerOpen}
        onClose={drawer.close}
        size={300}
        title={<Logo onFollow={drawer.close} />}
        closeButtonProps={{ 'aria-label': 'Close menu' }}
        classNames={{ body: classes.drawer, header: classes.drawerHead, content: classes.drawerContent }}
      >
        <nav aria-label="Main">
          <SideMenu groups={groups} isNarrow={false} onFollow={drawer.close} />
        </nav>
        <MenuFooter isNarrow={false} />
      </Drawer>
      <VisuallyHidden role="status">{title}</VisuallyHidden>
      <UnsavedChangesGuard />
      <IdleWarning />
      <ScrollRestoration />
    </>
  )
}

/** The first screen is drawn after the frame and in short pieces, so that the browser can paint and answer meanwhile. */
function useIsFrameDrawn(): boolean {
  const [isDrawn, setIsDrawn] = useState(false)
  useEffect(() => startTransition(() => setIsDrawn(true)), [])
  return isDrawn
}

/** The focused link disappears with the page that is left. The focus then moves to the content of the new page. */
function useFocusAfterNavigation() {
  const main = useRef<HTMLElement>(null)
  const { pathname } = useLocation()
  const shown = useRef(pathname)
  useEffect(() => {
    if (shown.current !== pathname && document.activeElement === document.body)
      main.current?.focus({ preventScroll: true })
    shown.current = pathname
  }, [pathname])
  return main
}
