import { Group, Text } from '@mantine/core'
import type { ChartPart } from '#domain/chart/fold-rest.ts'
import { leftOutNote, PIE_SIZE, pieSlices } from '#domain/chart/pie.ts'
import { formatDecimal } from '#domain/money/decimal.ts'
import { ChartFrame } from '#web/ui/chart/chart-card.tsx'
import classes from './pie-chart.module.css'

type Props = {
  title: string
  subject: string
  parts: readonly ChartPart[]
  /** What the parts are, one and several. */
  what?: readonly [one: string, several: string]
  unit: string
  /** Decimals of the values. */
  places?: number
}

const PARTS = ['part', 'parts'] as const

/** A pie with a table of its numbers: the same slices as on paper. */
export function PieChart({ title, subject, parts, what = PARTS, unit, places = 2 }: Props) {
  const slices = pieSlices(parts)
  if (slices.length === 0) return null
  const note = leftOutNote(parts, what, places)
  return (
    <ChartFrame title={title} subject={subject}>
      <Group gap="1rem 2rem" mt="0.5rem">
        <svg
          role="img"
          aria-label={`Pie chart of ${title.charAt(0).toLowerCase()}${title.slice(1)}`}
          viewBox={`-1 -1 ${PIE_SIZE + 2} ${PIE_SIZE + 2}`}
          className={classes.pie}
        >
          {slices.map(({ label, path, color }) => (
            <path key={label} d={path} fill={color} />
          ))}
        </svg>
        <table className={classes.legend}>
          <tbody>
            {slices.map(({ label, value, percent, color }) => (
              <tr key={label}>
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
      {note && (
        <Text size="sm" c="dimmed" mt="0.5rem">
          {note}
        </Text>
      )}
    </ChartFrame>
  )
}
