import { VisuallyHidden } from '@mantine/core'
import classes from './skeleton.module.css'

/*
 * Bars where content will be. Their styles are in index.html, whose frame has them too: it is painted before any script
 * or style sheet has arrived.
 */

export function SkeletonLine() {
  return <span className="skeleton-line" aria-hidden />
}

/** Instead of a screen or a large part of it. */
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

/** Instead of sections of a height that is not known yet. What follows them on the page is seen when they have come. */
export function PendingSections() {
  return (
    <div className={classes.pending}>
      <Skeleton />
    </div>
  )
}
