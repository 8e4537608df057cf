import { Text } from '@mantine/core'
import { useRef } from 'react'
import { type ChartPart, foldedBefore } from '#domain/chart/fold-rest.ts'
import { leftOutNote, onlySliceText, PIE_SIZE, pieSlices, pieTotal } from '#domain/chart/pie.ts'
import { formatDecimal } from '#domain/money/decimal.ts'
import { ChartActions, ChartFrame } from '#web/ui/chart/chart-card.tsx'
import { ChartReading } from '#web/ui/chart/chart-reading.tsx'
import type { ChartData } from '#web/ui/chart/chart-series.ts'
import classes from './pie-chart.module.css'

type Props = {
  title: string
  subject: string
  order?: 2 | 3
  parts: readonly ChartPart[]
  /** What the parts are, one and several. */
  what?: readonly [one: string, several: string]
  /** What the values are; empty for counts. */
  unit: string
  /** Decimals of the values. */
  places?: number
  /** The parts of the period before, as gray bars. */
  before?: readonly ChartPart[] | undefined
  /** The name of the downloads, without an extension. */
  fileName: string
}

const PARTS = ['part', 'parts'] as const
const MIDDLE = PIE_SIZE / 2
/** A longer total has no room in the ring at its full size. */
const MAX_TOTAL = 9

/** A ring with its total, beside a table of its numbers, which is its legend: the same slices as on paper. */
export function PieChart({
  title,
  subject,
  order = 3,
  parts,
  what = PARTS,
  unit,
  places = 2,
  before,
  fileName,
}: Props) {
  const chart = useRef<HTMLDivElement>(null)
  const slices = pieSlices(parts)
  const [first] = slices
  if (!first) return null
  const note = leftOutNote(parts, what, places)
  const valueText = (value: string | number) => `${formatDecimal(value, places)} ${unit}`.trimEnd()
  if (slices.length === 1)
    return (
      <ChartFrame title={title} subject={subject} order={order}>
        <Text mt="xs">{onlySliceText(first.label, valueText(first.value))}</Text>
        {note && <Note text={note} />}
      </ChartFrame>
    )
  const total = formatDecimal(pieTotal(slices), places)
  const earlier = before && foldedBefore(slices, parts, before).map(Number)
  const widest = Math.max(...slices.map(({ value }) => Number(value)), ...(earlier ?? []))
  const share = (value: number) => `${Math.max(0, (100 * value) / widest)}%`
  const data: ChartData = {
    pointName: `${what[0].charAt(0).toUpperCase()}${what[0].slice(1)}`,
    series: [{ name: unit || 'Count', look: 'bars' }],
    points: slices.map(({ label, value }) => ({ label, values: [Number(value)] })),
    valueText,
  }
  return (
    <ChartFrame
      title={title}
      subject={subject}
      order={order}
      actions={<ChartActions {...data} {...{ title, subject, places, fileName, chart }} />}
    >
      <ChartReading label={`${title} of ${subject}`} data={data} className={classes.chart}>
        {(pointed, point) => (
          <div ref={chart} className={classes.content}>
            <svg
              role="img"
              aria-label={`Pie chart of ${title.charAt(0).toLowerCase()}${title.slice(1)}`}
              viewBox={`0 0 ${PIE_SIZE} ${PIE_SIZE}`}
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
              <text
                className={classes.total}
                data-long={total.length > MAX_TOTAL || undefined}
                x={MIDDLE}
                y={unit ? MIDDLE + 2 : MIDDLE + 6}
                textAnchor="middle"
              >
                {total}
              </text>
              <text className={classes.unit} x={MIDDLE} y={MIDDLE + 18} textAnchor="middle">
                {unit}
              </text>
            </svg>
            <table className={classes.legend}>
              <tbody>
                {slices.map(({ label, value, percent, color }, at) => (
                  <tr key={label} data-pointed={at === pointed || undefined}>
                    <th scope="row">{label}</th>
                    <td aria-hidden className={classes.bars}>
                      <span style={{ width: share(Number(value)), background: color }} />
                      {earlier && <span className={classes.before} style={{ width: share(earlier[at] ?? 0) }} />}
                    </td>
                    <td className="figures">{valueText(value)}</td>
                    <td className="figures">{percent.toFixed(1)}%</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )}
      </ChartReading>
      {note && <Note text={note} />}
    </ChartFrame>
  )
}

function Note({ text }: { text: string }) {
  return (
    <Text size="sm" c="dimmed" mt="xs">
      {text}
    </Text>
  )
}
