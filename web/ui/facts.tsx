import type { ReactNode } from 'react'
import classes from './facts.module.css'

type Props = {
  /** Label and value; a fact without a value is left out. */
  facts: readonly (readonly [label: string, value: ReactNode])[]
  /** Labels beside their values, above them, or all facts in one line as far as there is room. */
  layout?: 'beside' | 'above' | 'line'
}

/** What is known of one thing, as a list of labels and values. */
export function Facts({ facts, layout = 'beside' }: Props) {
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
