import { VisuallyHidden } from '@mantine/core'
import classes from './skeleton.module.css'

/*
 * Bars where content will be. Their styles are in index.html, whose frame has them too: it is painted before any script
 * or style sheet has arrived.
 */

export function SkeletonLine() {
  return <span className="skeleton-line" aria-hidden />
}

/** Shown instead of a screen or a large part of it. */
export function Skeleton() {
  return (
    <>
      <VisuallyHidden role="status">Loading...</VisuallyHidden>
      <div className="skeleton-rows" aria-hidden>
        <i />
        <i />
        <i />
        <i />
      </div>
    </>
  )
}

/** Shown instead of sections of unknown height. Content below them appears when they have loaded. */
export function PendingSections() {
  return (
    <div className={classes.pending}>
      <Skeleton />
    </div>
  )
}
