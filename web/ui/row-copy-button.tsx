import { VisuallyHidden } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import classes from './row-copy-button.module.css'

type Props = {
  value: string
  /** Completes "Copy …". */
  what: string
}

/** For table rows. A plain button renders much faster than one with its own tooltip component. */
export function RowCopyButton({ value, what }: Props) {
  const { copied, copy } = useClipboard({ timeout: 1500 })
  const label = copied ? 'Copied' : `Copy ${what}`
  return (
    <>
      <button
        type="button"
        className={classes.copy}
        data-tip={label}
        data-copied={copied || undefined}
        aria-label={label}
        onClick={() => copy(value)}
      />
      {/* With the focus on the cell, screen readers do not read the new name of the button. */}
      <VisuallyHidden aria-live="polite">{copied && 'Copied'}</VisuallyHidden>
    </>
  )
}
