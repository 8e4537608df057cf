import { UnstyledButton } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import { memo, useId } from 'react'
import { Link } from 'react-router'
import { useMenuLook } from '#web/app/menu/menu-look.ts'
import type { VisibleGroup } from '#web/app/menu/visible-menu.ts'
import type { PortalScreen } from '#web/app/screens/screens.ts'
import { usePortalAddress } from '#web/lib/address/portal-link.tsx'
import { Tooltip } from '#web/ui/tooltip.tsx'
import classes from './side-menu.module.css'

type Props = {
  groups: readonly VisibleGroup[]
  /** The path of the entry whose screen is open. */
  current: string | undefined
  isNarrow: boolean
  onFollow?: () => void
}

export const SideMenu = memo(function SideMenu({ groups, ...props }: Props) {
  const address = usePortalAddress()
  return (
    <div className={classes.menu} data-narrow={props.isNarrow || undefined}>
      {groups.map((group) => (
        <Group key={group.title} group={group} address={address} {...props} />
      ))}
    </div>
  )
})

type Common = Omit<Props, 'groups'> & { address: ReturnType<typeof usePortalAddress> }

function Group({ group, isNarrow, ...props }: Common & { group: VisibleGroup }) {
  const { folded, fold } = useMenuLook()
  const listId = useId()
  const hasHeading = !isNarrow && group.title !== 'Home'
  // Settings are needed seldom, and without them all other entries fit into a window.
  const isFolded = group.title === 'Settings' && group.entries.every(({ path }) => path !== props.current)
  const isOpen = !hasHeading || !(folded[group.title] ?? isFolded)
  return (
    <div className={classes.group}>
      {hasHeading && (
        <UnstyledButton
          className={classes.heading}
          aria-expanded={isOpen}
          aria-controls={isOpen ? listId : undefined}
          onClick={() => fold(group.title, isOpen)}
        >
          {group.title}
          <IconChevronDown size={14} aria-hidden className={classes.chevron} />
        </UnstyledButton>
      )}
      {isOpen && (
        <ul id={listId} className={classes.entries} aria-label={group.title}>
          {group.entries.map((entry) => (
            <li key={entry.path}>
              <Entry entry={entry} isNarrow={isNarrow} {...props} />
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

function Entry({ entry, current, isNarrow, onFollow, address }: Common & { entry: PortalScreen }) {
  // Load the page's code when somebody points at its entry. A failure shows when they open it.
  const prepare = () => entry.page?.().catch(() => undefined)
  const link = (
    <Link
      to={address(`/${entry.path}`)}
      className={classes.entry}
      aria-label={isNarrow ? entry.title : undefined}
      aria-current={current === entry.path ? 'page' : undefined}
      onPointerEnter={prepare}
      onFocus={prepare}
      onClick={onFollow}
    >
      <entry.icon size={16} stroke={1.6} aria-hidden />
      {!isNarrow && <span>{entry.title}</span>}
    </Link>
  )
  return isNarrow ? (
    <Tooltip label={entry.title} position="right">
      {link}
    </Tooltip>
  ) : (
    link
  )
}
