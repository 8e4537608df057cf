import { Loader } from '@mantine/core'
import classes from './spinner.module.css'

const LOADING = 'Loading...'

/** Appears after 150 ms of waiting. */
export function Spinner({ text = LOADING }: { text?: string }) {
  return (
    <div className={classes.spinner} role="status">
      <Loader size="sm" />
      <span>{text}</span>
    </div>
  )
}

/** Covers content that reloads and keeps its layout. The parent has to be positioned. */
export function SpinnerOverlay({ text = LOADING }: { text?: string }) {
  return (
    <div className={classes.overlay}>
      <Spinner text={text} />
    </div>
  )
}
