import { useClipboard } from '@mantine/hooks'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import classes from './row-copy-button.module.css'

type Props = {
  value: string
  /** Completes "Copy …". */
  what: string
}

/** One per row: a plain button draws many times faster than one with a tooltip of its own. */
export function RowCopyButton({ value, what }: Props) {
  const { copied, copy } = useClipboard({ timeout: 1500 })
  const label = copied ? 'Copied' : `Copy ${what}`
  return (
    <>
      <button type="button" className={classes.copy} data-tip={label} aria-label={label} onClick={() => copy(value)}>
        {copied ? <IconCheck size={14} aria-hidden /> : <IconCopy size={14} aria-hidden />}
      </button>
      {/* On the keyboard the focus is on the cell, and the new name of the button would not be read out. */}
      <span className={classes.said} aria-live="polite">
        {copied && 'Copied'}
      </span>
    </>
  )
}
