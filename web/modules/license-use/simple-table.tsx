import { Table, Title } from '@mantine/core'
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
          <Table verticalSpacing={4} aria-label={title} className="figures">
            <Table.Thead>
              <Table.Tr>
                {head.map((name, index) => (
                  <Table.Th key={name} ta={align(index)}>
                    {name}
                  </Table.Th>
                ))}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {rows.map(({ key, cells, note }) => (
                <Table.Tr key={key}>
                  {head.map((name, index) => (
                    <Table.Td key={name} ta={align(index)}>
                      {cells[index]}
                      {index === 0 && note && <div className={classes.note}>{note}</div>}
                    </Table.Td>
                  ))}
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </section>
      )}
    </section>
  )
}
