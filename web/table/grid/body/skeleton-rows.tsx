import type { DrawnColumn } from '#web/table/grid/drawn-column.ts'
import classes from '#web/table/grid/grid.module.css'

/** Bars where the cells will be: one element per column, drawn by its background. */
export function SkeletonRows({ drawn, count }: { drawn: readonly DrawnColumn<never>[]; count: number }) {
  return (
    <div aria-hidden className={classes.skeleton} style={{ height: `calc(${count} * var(--row-height))` }}>
      {drawn.map(({ id, column }) => (
        <div key={id} data-right={column?.kind === 'number' || undefined} data-empty={!column || undefined} />
      ))}
    </div>
  )
}
