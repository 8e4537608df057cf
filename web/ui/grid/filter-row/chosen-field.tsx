import { IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import classes from './filter-row.module.css'

type Props = { label: string; text: string; onOpen(): void; onClear(): void; children?: ReactNode }

/** A filter that was chosen in a dialog: says what it is, opens the dialog again, and can be taken away. */
export function ChosenField({ label, text, onOpen, onClear, children }: Props) {
  return (
    <div className={classes.field} data-filled>
      <button type="button" className={classes.chosen} aria-label={`${label}: ${text}`} title={text} onClick={onOpen}>
        {text}
      </button>
      <button type="button" className={classes.tool} aria-label={`Clear ${label}`} onClick={onClear}>
        <IconX size={14} aria-hidden />
      </button>
      {children}
    </div>
  )
}
