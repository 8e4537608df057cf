import { CopyButton } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import classes from './data-grid.module.css'

/**
 * A long id: one reads its beginning, and copies the whole. The button is for the pointer alone, or every row would be a
 * stop of the Tab key; on the keyboard, Ctrl+C copies the cell that has the focus.
 */
export function IdCell({ id, what }: { id: string; what: string }) {
  if (id === '') return null
  return (
    <span className={classes.idCell}>
      <span className={classes.idText} title={id}>
        {id}
      </span>
      <CopyButton value={id} timeout={1500}>
        {({ copied, copy }) => (
          <button
            type="button"
            tabIndex={-1}
            className={classes.copy}
            aria-label={copied ? 'Copied' : `Copy ${what}`}
            title={copied ? 'Copied' : `Copy ${what}`}
            onClick={copy}
          >
            {copied ? <IconCheck size={14} aria-hidden /> : <IconCopy size={14} aria-hidden />}
          </button>
        )}
      </CopyButton>
    </span>
  )
}
