import { ActionIcon } from '@mantine/core'
import {
  IconAccessible,
  IconBook2,
  IconHelpCircle,
  IconLayoutSidebarLeftCollapse,
  IconLayoutSidebarLeftExpand,
  IconLifebuoy,
  IconMenu2,
} from '@tabler/icons-react'
import { memo } from 'react'
import { AccountPicker } from '#web/app/customer/account-picker.tsx'
import { PaletteButton } from '#web/app/palette/palette-button.tsx'
import { AvatarMenu } from '#web/app/shell/avatar-menu.tsx'
import { Logo } from '#web/app/shell/logo.tsx'
import { TaskMenu } from '#web/app/shell/task-menu.tsx'
import { runtimeConfig } from '#web/lib/runtime-config.ts'
import { Menu } from '#web/ui/overlays/menu.tsx'
import classes from './toolbar.module.css'

type Props = { isMenuNarrow: boolean; onToggleMenu(): void; onOpenDrawer(): void }

export const Toolbar = memo(function Toolbar({ isMenuNarrow, onToggleMenu, onOpenDrawer }: Props) {
  const Toggle = isMenuNarrow ? IconLayoutSidebarLeftExpand : IconLayoutSidebarLeftCollapse
  return (
    <header className={classes.toolbar}>
      <button type="button" className={classes.opener} aria-label="Open menu" onClick={onOpenDrawer}>
        <IconMenu2 size={20} stroke={1.6} />
      </button>
      <button
        type="button"
        className={classes.toggle}
        aria-label={isMenuNarrow ? 'Expand menu' : 'Collapse menu'}
        onClick={onToggleMenu}
      >
        <Toggle size={20} stroke={1.6} />
      </button>
      <div className={classes.home}>
        <Logo />
      </div>
      <div className={classes.search}>
        <AccountPicker />
      </div>
      <PaletteButton />
      <TaskMenu />
      <HelpMenu />
      <AvatarMenu />
    </header>
  )
})

function HelpMenu() {
  const { documentationUrl, supportUrl } = runtimeConfig()
  return (
    <Menu
      position="bottom-end"
      width={200}
      withinPortal={false}
      button={
        <ActionIcon variant="subtle" color="gray" size={36} aria-label="Help">
          <IconHelpCircle size={20} stroke={1.6} />
        </ActionIcon>
      }
    >
      <Menu.Item
        component="a"
        href={documentationUrl}
        target="_blank"
        rel="noopener"
        leftSection={<IconBook2 size={16} aria-hidden />}
      >
        Documentation
      </Menu.Item>
      <Menu.Item
        component="a"
        href={supportUrl}
        target="_blank"
        rel="noopener"
        leftSection={<IconLifebuoy size={16} aria-hidden />}
      >
        Get Support
      </Menu.Item>
      <Menu.Item
        component="a"
        href="/accessibility"
        target="_blank"
        leftSection={<IconAccessible size={16} aria-hidden />}
      >
        Accessibility
      </Menu.Item>
    </Menu>
  )
}
