import { Text } from '@mantine/core'
import { IconChevronRight } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import classes from './home.module.css'

type Item = { to: string; icon: ReactNode; name: string; about: string }

/** Links with a line about each. */
export function LinkList({ label, items }: { label: string; items: readonly Item[] }) {
  return (
    <ul className={classes.links} aria-label={label}>
      {items.map(({ to, icon, name, about }) => (
        <li key={to}>
          <Link to={to} className={classes.link}>
            {icon}
            <span className={classes.what}>
              <span>{name}</span>
              <Text span size="sm" c="dimmed" fw={400}>
                {about}
              </Text>
            </span>
            <IconChevronRight size={16} aria-hidden className={classes.chevron} />
          </Link>
        </li>
      ))}
    </ul>
  )
}
