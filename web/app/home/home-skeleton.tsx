import { Paper } from '@mantine/core'
import { Skeleton, SkeletonLine } from '#web/ui/skeleton.tsx'
import classes from './home.module.css'

/** Has the shape of Home, so that nothing jumps when it arrives. */
export function HomeSkeleton() {
  return (
    <>
      <div className={classes.tiles} aria-hidden>
        {['Elastic', 'Spending', 'Ending', 'Denied'].map((tile) => (
          <div key={tile} className={classes.tile}>
            <SkeletonLine />
          </div>
        ))}
      </div>
      <div className={classes.columns}>
        <div className={classes.todo}>
          <Skeleton />
        </div>
        <Paper p="1rem" h="10rem" aria-hidden />
        <Paper p="1rem" h="15rem" aria-hidden />
      </div>
    </>
  )
}
