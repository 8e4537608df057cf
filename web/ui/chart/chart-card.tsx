import { Button, Group, Title } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { type ReactNode, useRef, useState } from 'react'
import type { CalendarDay } from '#domain/calendar/calendar-day.ts'
import { CSV_START, csvLine } from '#domain/csv.ts'
import { failureText } from '#web/lib/api-failure.ts'
import { countText } from '#web/lib/format.ts'
import { saveFile } from '#web/lib/save-file.ts'
import { BarChart } from '#web/ui/chart/bar-chart.tsx'
import { type ChartPoint, pointText } from '#web/ui/chart/chart-point.ts'
import { StepChart } from '#web/ui/chart/step-chart.tsx'
import { pictureOf } from '#web/ui/chart/svg-picture.ts'
import { showPanel } from '#web/ui/panels.ts'
import classes from './chart-card.module.css'

type Props = {
  title: string
  /** The subject of the numbers. A page may have several cards with the same title. */
  subject: string
  /** Tells screen readers what the picture shows; its numbers are in the table. */
  description: string
  /** In this order in the chart, in the table and in the file. */
  points: readonly ChartPoint[]
  /** Steps instead of bars: every value stays until the next point, the last one until this day. */
  stepsUntil?: CalendarDay
  /**
   * Draws every limit as a bar next to its value, if the points have different limits; otherwise the limit is one line.
   */
  hasLimitBars?: boolean
  /** Heads of the columns: what a point stands for, what its height is, and what its limit is if it has one. */
  columns: readonly [label: string, value: string, limit?: string]
  /** Under the table. */
  total?: number
  valueText(value: number): string
  /** Decimals of the numbers in the file; 2 unless told otherwise. */
  places?: number
  /** A column that the file has before the others, with the same text in every line. */
  fileColumn?: readonly [head: string, text: string]
  /** The name of the downloads, without an extension. */
  fileName: string
}

/** A chart with a table of its numbers. Both can be downloaded. */
export function ChartCard(props: Props) {
  const { title, subject, description, points, stepsUntil, hasLimitBars, columns, total, valueText, fileName } = props
  const drawn = { points, valueText }
  const chart = useRef<HTMLDivElement>(null)
  const savePicture = () =>
    pictureOf(chart.current, `${title}, ${columns[1]} · ${subject}`).then(
      (picture) => saveFile(picture, `${fileName}.png`),
      (error) => showPanel('error', `The image could not be created. ${failureText(error)}`),
    )
  return (
    <ChartFrame
      title={title}
      subject={subject}
      actions={
        <>
          <DownloadButton onClick={savePicture}>PNG</DownloadButton>
          <DownloadButton onClick={() => saveFile(csvOf(props), `${fileName}.csv`)}>CSV</DownloadButton>
        </>
      }
    >
      <div className={classes.content}>
        <div role="img" aria-label={description} ref={chart} className={classes.chart}>
          {stepsUntil === undefined ? (
            <BarChart {...drawn} series={columns[1]} {...(hasLimitBars && { limitSeries: columns[2] })} />
          ) : (
            <StepChart {...drawn} until={stepsUntil} />
          )}
        </div>
        <ChartTable {...{ points, columns, total, valueText }} />
      </div>
    </ChartFrame>
  )
}

type FrameProps = Pick<Props, 'title' | 'subject'> & { actions?: ReactNode; children: ReactNode }

/** The card without its chart: while that is loading, or where there is nothing to show. */
export function ChartFrame({ title, subject, actions, children }: FrameProps) {
  return (
    <section className={classes.card} aria-label={`${title} of ${subject}`}>
      <Group justify="space-between" gap="xs" mih="1.875rem">
        <Title order={3}>{title}</Title>
        <Group gap="xs" className={classes.actions}>
          {actions}
        </Group>
      </Group>
      {children}
    </section>
  )
}

function DownloadButton({ children, onClick }: { children: string; onClick(): void }) {
  return (
    <Button
      variant="default"
      size="compact-sm"
      leftSection={<IconDownload size={14} aria-hidden />}
      aria-label={`Download as ${children}`}
      onClick={onClick}
    >
      {children}
    </Button>
  )
}

/** A longer table shows this many rows until it is unfolded. */
const FOLDED_ROWS = 12

function ChartTable({ points, columns, total, valueText }: Pick<Props, 'points' | 'columns' | 'total' | 'valueText'>) {
  const [isOpen, setIsOpen] = useState(false)
  const isLong = points.length > FOLDED_ROWS + 1
  return (
    <div>
      <table className={classes.table} data-folded={(isLong && !isOpen) || undefined}>
        <thead>
          <tr className={classes.line} data-kept>
            {columns.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {points.map((point) => (
            <tr key={point.label} className={classes.line}>
              <td>{pointText(point)}</td>
              <td className="figures">{valueText(point.value)}</td>
              {columns.length > 2 && <td className="figures">{valueText(point.limit ?? 0)}</td>}
            </tr>
          ))}
        </tbody>
        {total !== undefined && (
          <tfoot>
            <tr className={classes.line} data-kept>
              <th scope="row">Total</th>
              <td className="figures">{valueText(total)}</td>
            </tr>
          </tfoot>
        )}
      </table>
      {isLong && (
        <Button
          variant="subtle"
          size="compact-sm"
          mt="xs"
          className={classes.actions}
          aria-expanded={isOpen}
          onClick={() => setIsOpen(!isOpen)}
        >
          {isOpen ? `Show the first ${FOLDED_ROWS}` : `Show all ${countText(points.length)}`}
        </Button>
      )}
    </div>
  )
}

function csvOf({ points, columns, places = 2, fileColumn }: Props): Blob {
  const [head, text] = fileColumn ?? []
  const first = (cell: string | undefined) => (cell === undefined ? [] : [cell])
  const lines = points.map((point) => {
    const numbers = [point.value, ...(columns.length > 2 ? [point.limit ?? 0] : [])]
    return csvLine([...first(text), pointText(point), ...numbers.map((amount) => ({ amount, places }))])
  })
  return new Blob([CSV_START, csvLine([...first(head), ...columns]), ...lines], { type: 'text/csv' })
}
