import { Button, Tooltip } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import classes from './remove-button.module.css'

type Props = {
  /** Completes "Remove …". */
  what: string
  isRemoved: boolean
  disabled?: boolean
  /** The id of what says why it is disabled. */
  describedBy?: string | undefined
  onRemove(): void
  onKeep(): void
}

/** Removes a row of a form, which stays there, struck through, until it is saved: so long this takes the removal back. */
export function RemoveButton({ what, isRemoved, disabled = false, describedBy, onRemove, onKeep }: Props) {
  return (
    <Tooltip label="Remove" disabled={isRemoved}>
      <Button
        variant="subtle"
        color={isRemoved ? undefined : 'gray'}
        className={classes.button}
        aria-label={isRemoved ? `Undo: keep ${what}` : `Remove ${what}`}
        disabled={disabled}
        aria-describedby={describedBy}
        onClick={(event) => {
          if (!isRemoved) onRemove()
          // The second half of a double click must not undo the first.
          else if (event.detail <= 1) onKeep()
        }}
      >
        {isRemoved ? 'Undo' : <IconTrash size={16} />}
      </Button>
    </Tooltip>
  )
}

/** What stood in a field of a removed row. */
export function Removed({ children }: { children: ReactNode }) {
  return <del className={classes.removed}>{children}</del>
}
