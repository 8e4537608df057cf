import { Title } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './license-use.module.css'

type Props = {
  title: string
  head: readonly string[]
  rows: readonly { key: string; cells: readonly ReactNode[]; note?: string | undefined }[]
  /** Columns with numbers. */
  numbers?: readonly number[]
  /** Said where there are no rows. */
  empty?: string
}

/** A short table without filters. */
export function SimpleTable({ title, head, rows, numbers = [], empty }: Props) {
  const align = (index: number) => (numbers.includes(index) ? 'right' : undefined)
  return (
    <section className={classes.card} aria-label={title}>
      <Title order={3}>{title}</Title>
      {rows.length === 0 ? (
        <p className={classes.none}>{empty ?? 'Nothing in this period.'}</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable with the keyboard
        <section className={classes.scroll} tabIndex={0} aria-label={`Rows of ${title}`}>
          <table aria-label={title} className="plain-table figures">
            <thead>
              <tr>
                {head.map((name, index) => (
                  <th key={name} className={align(index)}>
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map(({ key, cells, note }) => (
                <tr key={key}>
                  {head.map((name, index) => (
                    <td key={name} className={align(index)}>
                      {cells[index]}
                      {index === 0 && note && <div className={classes.note}>{note}</div>}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </section>
  )
}
