import { IconShieldLock, IconWorld } from '@tabler/icons-react'
import classes from './credentials.module.css'

/** Says whether everybody is let in, or only those on a list. */
export function RestrictionState({ isOpen, children }: { isOpen: boolean; children: string }) {
  const Icon = isOpen ? IconWorld : IconShieldLock
  return (
    <p className={classes.state} role="status">
      <Icon size={18} aria-hidden />
      {children}
    </p>
  )
}
