import { VisuallyHidden } from '@mantine/core'
import { useDisclosure, useDocumentTitle } from '@mantine/hooks'
import { type ComponentProps, startTransition, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { Outlet, ScrollRestoration, useLocation } from 'react-router'
import { Help } from '#web/app/guide/help.tsx'
import { IdleWarning } from '#web/app/identity/idle-warning.tsx'
import { MenuFooter } from '#web/app/menu/menu-footer.tsx'
import { useMenuLook } from '#web/app/menu/menu-look.ts'
import { SideMenu } from '#web/app/menu/side-menu.tsx'
import { useMenu } from '#web/app/menu/use-menu.ts'
import { ScreenSkeleton } from '#web/app/screens/screen-skeleton.tsx'
import { Logo } from '#web/app/shell/logo.tsx'
import { Toolbar } from '#web/app/shell/toolbar.tsx'
import { UnsavedChangesGuard } from '#web/app/shell/unsaved-changes-guard.tsx'
import { ViewingBanner } from '#web/app/shell/viewing-banner.tsx'
import { useShownAccount } from '#web/lib/customer.tsx'
import { runtimeConfig } from '#web/lib/runtime-config.ts'
import { AlertBanner } from '#web/modules/messages/alert-banner.tsx'
import { MenuGroupContext, useRouteHandle } from '#web/ui/crumbs.ts'
import { Drawer } from '#web/ui/overlays/modal.tsx'
import { prefetchOverlayParts } from '#web/ui/overlays/use-overlay-parts.ts'
import { PanelList } from '#web/ui/panel-list.tsx'
import classes from './shell.module.css'

/** The frame around every screen. Its parts are rendered again only when something of theirs changes. */
export function Shell() {
  const { isNarrow, toggleNarrow } = useMenuLook()
  const [isDrawerOpen, drawer] = useDisclosure(false)
  const groups = useMenu()
  const route = useRouteHandle()
  const current = route?.menuPath
  const group = groups.find(({ entries }) => entries.some(({ path }) => path === current))?.title
  const title = route?.title
  const shown = useShownAccount()
  const account = route?.isOfAccount ? shown?.name : undefined
  useDocumentTitle([account, title, account ? undefined : runtimeConfig().brand.name].filter(Boolean).join(' · '))
  const main = useFocusAfterNavigation()
  // Decides which skeleton index.html draws.
  useLayoutEffect(() => {
    document.documentElement.dataset.screen = current ?? ''
  }, [current])

  return (
    <>
      <a href="#main" className={classes.skip}>
        Skip to content
      </a>
      <Toolbar isMenuNarrow={isNarrow} onToggleMenu={toggleNarrow} onOpenDrawer={drawer.open} />
      <div className={classes.frame} data-narrow={isNarrow || undefined}>
        <nav className={classes.menu} aria-label="Main">
          <SideMenu groups={groups} current={current} isNarrow={isNarrow} />
          <MenuFooter isNarrow={isNarrow} />
        </nav>
        <div className={classes.content}>
          <ViewingBanner />
          <AlertBanner />
          <main ref={main} id="main" tabIndex={-1} className={classes.main}>
            <PanelList />
            <MenuGroupContext value={group}>
              <FirstScreenLater />
            </MenuGroupContext>
          </main>
        </div>
      </div>
      <MenuDrawer groups={groups} current={current} opened={isDrawerOpen} onClose={drawer.close} />
      <VisuallyHidden role="status">{title}</VisuallyHidden>
      <Help />
      <UnsavedChangesGuard />
      <IdleWarning />
      <ScrollRestoration />
    </>
  )
}

type DrawerProps = Pick<ComponentProps<typeof SideMenu>, 'groups' | 'current'> & { opened: boolean; onClose(): void }

/** The menu as a drawer, for windows without room for it next to the screen. */
function MenuDrawer({ groups, current, opened, onClose }: DrawerProps) {
  return (
    <Drawer
      opened={opened}
      onClose={onClose}
      size={300}
      title={<Logo onFollow={onClose} />}
      closeButtonProps={{ 'aria-label': 'Close menu' }}
      classNames={{ body: classes.drawer, header: classes.drawerHead, content: classes.drawerContent }}
    >
      <nav aria-label="Main">
        <SideMenu groups={groups} current={current} isNarrow={false} onFollow={onClose} />
      </nav>
      <MenuFooter isNarrow={false} />
    </Drawer>
  )
}

/** The first screen is drawn after the frame and in short pieces, so that the browser can paint and answer meanwhile. */
function FirstScreenLater() {
  const [isFrameDrawn, setIsFrameDrawn] = useState(false)
  useEffect(() => startTransition(() => setIsFrameDrawn(true)), [])
  useEffect(() => {
    if (isFrameDrawn) prefetchOverlayParts()
  }, [isFrameDrawn])
  return isFrameDrawn ? <Outlet /> : <ScreenSkeleton />
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
