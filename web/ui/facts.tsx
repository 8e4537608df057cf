import type { ReactNode } from 'react'
import classes from './facts.module.css'

type Props = {
  /** Label and value. Facts without a value are left out. */
  facts: readonly (readonly [label: string, value: ReactNode])[]
  /** Labels in a separate column, above their values, or all facts in one line if there is room. */
  layout?: 'columns' | 'above' | 'line'
}

/** A list of labels and values. */
export function Facts({ facts, layout = 'columns' }: Props) {
  const known = facts.filter(([, value]) => value !== undefined && value !== null && value !== false && value !== '')
  return (
    <dl className={classes.facts} data-layout={layout}>
      {known.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd data-none={value === 'None' || undefined}>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
