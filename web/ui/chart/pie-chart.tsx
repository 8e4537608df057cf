import { Group, Text } from '@mantine/core'
import { useRef } from 'react'
import type { ChartPart } from '#domain/chart/fold-rest.ts'
import { leftOutNote, PIE_SIZE, pieSlices } from '#domain/chart/pie.ts'
import { formatDecimal } from '#domain/money/decimal.ts'
import { ChartFrame, Downloads } from '#web/ui/chart/chart-card.tsx'
import { ChartReading } from '#web/ui/chart/chart-reading.tsx'
import type { ChartData } from '#web/ui/chart/chart-series.ts'
import classes from './pie-chart.module.css'

type Props = {
  title: string
  subject: string
  parts: readonly ChartPart[]
  /** What the parts are, one and several. */
  what?: readonly [one: string, several: string]
  /** What the values are; empty for counts. */
  unit: string
  /** Decimals of the values. */
  places?: number
  /** The name of the downloads, without an extension. */
  fileName: string
}

const PARTS = ['part', 'parts'] as const

/** A pie with a table of its numbers as its legend: the same slices as on paper. */
export function PieChart({ title, subject, parts, what = PARTS, unit, places = 2, fileName }: Props) {
  const chart = useRef<HTMLDivElement>(null)
  const slices = pieSlices(parts)
  if (slices.length === 0) return null
  const note = leftOutNote(parts, what, places)
  const data: ChartData = {
    pointName: `${what[0].charAt(0).toUpperCase()}${what[0].slice(1)}`,
    series: [{ name: unit || 'Count', look: 'bars' }],
    points: slices.map(({ label, value }) => ({ label, values: [Number(value)] })),
    valueText: (value) => `${formatDecimal(value, places)} ${unit}`.trimEnd(),
  }
  return (
    <ChartFrame
      title={title}
      subject={subject}
      actions={<Downloads {...data} {...{ title, subject, places, fileName, chart }} />}
    >
      <ChartReading label={`${title} of ${subject}`} data={data} className={classes.chart}>
        {(pointed, point) => (
          <Group ref={chart} gap="1rem 2rem">
            <svg
              role="img"
              aria-label={`Pie chart of ${title.charAt(0).toLowerCase()}${title.slice(1)}`}
              viewBox={`-1 -1 ${PIE_SIZE + 2} ${PIE_SIZE + 2}`}
              className={classes.pie}
              onPointerLeave={() => point(undefined)}
            >
              {slices.map(({ label, path, color }, at) => (
                <path
                  key={label}
                  d={path}
                  fill={color}
                  data-pale={(pointed !== undefined && at !== pointed) || undefined}
                  onPointerEnter={() => point(at)}
                />
              ))}
            </svg>
            <table className={classes.legend}>
              <tbody>
                {slices.map(({ label, value, percent, color }, at) => (
                  <tr key={label} data-pointed={at === pointed || undefined}>
                    <th scope="row">
                      <svg viewBox="0 0 8 8" aria-hidden className={classes.square}>
                        <rect width="8" height="8" rx="1" fill={color} />
                      </svg>
                      {label}
                    </th>
                    <td className="figures">
                      {formatDecimal(value, places)} {unit}
                    </td>
                    <td className="figures">{percent.toFixed(1)}%</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </Group>
        )}
      </ChartReading>
      {note && (
        <Text size="sm" c="dimmed" mt="0.5rem">
          {note}
        </Text>
      )}
    </ChartFrame>
  )
}
