import { IconX } from '@tabler/icons-react'
import classes from './filter-row.module.css'

type Props = { label: string; text: string; onOpen(): void; onClear(): void }

/** A filter that was not typed: says what it is, opens its popover again, and can be cleared. */
export function ChosenField({ label, text, onOpen, onClear }: Props) {
  return (
    <div className={classes.field} data-filled>
      <button type="button" className={classes.chosen} aria-label={`${label}: ${text}`} onClick={onOpen}>
        {text}
      </button>
      <button type="button" className={classes.tool} aria-label={`Clear ${label}`} onClick={onClear}>
        <IconX size={14} aria-hidden />
      </button>
    </div>
  )
}
