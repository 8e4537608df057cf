import { Loader } from '@mantine/core'
import classes from './spinner.module.css'

const LOADING = 'Loading...'

/** Says that something is being waited for; what takes less than 150 ms is never announced. */
export function Spinner({ text = LOADING }: { text?: string }) {
  return (
    <div className={classes.spinner} role="status">
      <Loader size="sm" />
      <span>{text}</span>
    </div>
  )
}

/** Covers what is being reloaded and keeps its layout still. The element around it has to be positioned. */
export function SpinnerOverlay({ text = LOADING }: { text?: string }) {
  return (
    <div className={classes.overlay}>
      <Spinner text={text} />
    </div>
  )
}
