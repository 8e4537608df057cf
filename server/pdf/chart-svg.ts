import { EDGE, LIMIT, SOFT, VALUE } from '#server/pdf/pdf-style.ts'
import { svg } from '#server/pdf/svg.ts'

type Day = { readonly day: string; readonly value: number; readonly limit: number }

/** In points. */
export const AXIS_WIDTH = 34
const PLOT_HEIGHT = 96
const HEIGHT = PLOT_HEIGHT + 24
const TOP = 6
const LABEL_SIZE = 8
/** Minimum distance between two labels of the axis. */
const LABEL_ROOM = 56
const MAX_STEPS = 5

/** Bars day by day, and their limit as a line that steps where it changes. Texts are numbers and days: nothing to escape. */
export function dayChartSvg(days: readonly Day[], width: number): string {
  const ticks = ticksUpTo(Math.max(1, ...days.flatMap(({ value, limit }) => [value, limit])))
  const top = ticks.at(-1) ?? 1
  const room = (width - AXIS_WIDTH) / Math.max(1, days.length)
  const x = (index: number) => rounded(AXIS_WIDTH + index * room)
  const y = (value: number) => rounded(TOP + PLOT_HEIGHT * (1 - value / top))
  // Gaps between narrow bars would hide the bars.
  const gap = room > 4 ? Math.min(room * 0.3, 6) : 0
  const grid = ticks.map(
    (tick) =>
      `<path d="M${AXIS_WIDTH} ${y(tick)}H${width}" stroke="${EDGE}" stroke-width="0.5" fill="none"/>${label(AXIS_WIDTH - 5, y(tick) + 3, 'end', String(tick))}`,
  )
  const bars = days.flatMap(({ value }, index) =>
    value > 0
      ? `<rect x="${rounded(x(index) + gap / 2)}" y="${y(value)}" width="${rounded(room - gap)}" height="${rounded(y(0) - y(value))}" fill="${VALUE}"/>`
      : [],
  )
  const line = days.map(({ limit }, index) => `${index === 0 ? 'M' : 'L'}${x(index)} ${y(limit)}H${x(index + 1)}`)
  const every = Math.max(1, Math.ceil(LABEL_ROOM / room))
  const labels = days.flatMap(({ day }, index) =>
    index % every === 0 && x(index) + room / 2 + LABEL_ROOM / 2 <= width
      ? label(x(index) + room / 2, TOP + PLOT_HEIGHT + 12, 'middle', day)
      : [],
  )
  return svg(
    { width, height: HEIGHT },
    `${grid.join('')}${bars.join('')}<path d="${line.join('')}" stroke="${LIMIT}" stroke-width="1.2" fill="none"/>${labels.join('')}`,
  )
}

const label = (x: number, y: number, anchor: 'middle' | 'end', text: string) =>
  `<text x="${rounded(x)}" y="${rounded(y)}" font-family="Roboto" font-size="${LABEL_SIZE}" fill="${SOFT}" text-anchor="${anchor}">${text}</text>`

/** Round numbers from 0 to at least `most`, at most six of them. */
export function ticksUpTo(most: number): number[] {
  // 1, 2, 5, 10, 20, 50, …
  let step = 1
  for (let index = 0; most / step > MAX_STEPS; index++) step *= index % 3 === 1 ? 2.5 : 2
  return Array.from({ length: Math.ceil(most / step) + 1 }, (_, index) => index * step)
}

type Meter = { readonly value: number; readonly limit: number; readonly most: number; readonly width: number }

const METER_HEIGHT = 9

/** The value within its limit: a filled bar in an outlined one, on a common scale. Beyond the limit it is red. */
export function barSvg({ value, limit, most, width }: Meter): string {
  const scale = (width - 1) / most
  const [inner, outer] = [value, limit].map((one) => rounded(one * scale))
  return svg(
    { width, height: METER_HEIGHT },
    [
      `<rect x="0.5" y="0.5" width="${outer}" height="${METER_HEIGHT - 1}" fill="#eef0f4" stroke="${SOFT}" stroke-width="0.5"/>`,
      `<rect x="0.5" y="2" width="${inner}" height="${METER_HEIGHT - 4}" fill="${value >= limit ? LIMIT : VALUE}"/>`,
    ].join(''),
  )
}

const rounded = (value: number) => Math.round(value * 100) / 100
