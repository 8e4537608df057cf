import { ActionIcon, Group, Title } from '@mantine/core'
import { IconDots, IconDownload, IconTable } from '@tabler/icons-react'
import { type ReactNode, type RefObject, useRef, useState } from 'react'
import type { CalendarDay } from '#domain/calendar/calendar-day.ts'
import { CSV_START, csvLine } from '#domain/csv.ts'
import { failureText } from '#web/lib/api/api-error.ts'
import { saveFile } from '#web/lib/save-file.ts'
import { BarChart } from '#web/ui/chart/bar-chart.tsx'
import { type ChartData, pointText } from '#web/ui/chart/chart-series.ts'
import { DayChart } from '#web/ui/chart/day-chart.tsx'
import { pictureOf } from '#web/ui/chart/svg-picture.ts'
import { Menu } from '#web/ui/overlays/menu.tsx'
import { showPanel } from '#web/ui/panels.ts'
import classes from './chart-card.module.css'

type FrameProps = {
  title: string
  /** The subject of the numbers. A page may have several cards with the same title. */
  subject: string
  /** A sentence about what the numbers say. */
  caption?: string
  /** The level of the title; 3 unless told otherwise. */
  order?: 2 | 3
  /** Beside the title: chooses what the chart shows. */
  controls?: ReactNode
}

type FileProps = {
  /** The name of the downloads, without an extension. */
  fileName: string
  /** Decimals of the numbers in the file; 2 unless told otherwise. */
  places?: number | undefined
  /** A column that the file has before the others, with the same text in every line. */
  fileColumn?: readonly [head: string, text: string]
}

type Props = ChartData &
  FrameProps &
  FileProps & {
    /** Tells screen readers what the picture shows. */
    description: string
    /** The points are days, and the distance between them is time. */
    isByDay?: boolean
    /** The last value of steps stays until this day. */
    until?: CalendarDay
    /** Under the table. */
    total?: number
    /** For a chart above a table, whose first rows stay in sight. */
    isLow?: boolean
  }

const HEIGHT = 220
/** Of a low chart, in pixels; its place is reserved while it loads. */
export const LOW_HEIGHT = 160
/** A longer table is closed until it is asked for. */
const FEW_ROWS = 13

/** A chart with a table of its numbers. Both can be downloaded. */
export function ChartCard(props: Props) {
  const { title, subject, caption = '', order = 3, controls, description, isByDay, until, total, isLow = false } = props
  const { pointName, series, points, valueText } = props
  const frame = { title, subject, caption, order, controls }
  const data = { pointName, series, points, valueText }
  const [isOpen, setIsOpen] = useState(points.length <= FEW_ROWS)
  const chart = useRef<HTMLDivElement>(null)
  const drawn = { label: `${title} of ${subject}`, description, data, height: isLow ? LOW_HEIGHT : HEIGHT }
  return (
    <ChartFrame
      {...frame}
      actions={
        <ChartActions {...props} chart={chart}>
          <Menu.Item leftSection={<IconTable size={14} aria-hidden />} onClick={() => setIsOpen(!isOpen)}>
            {isOpen ? 'Hide the table' : 'Show as a table'}
          </Menu.Item>
        </ChartActions>
      }
    >
      <div className={classes.content} data-open={isOpen || undefined}>
        <div ref={chart}>{isByDay ? <DayChart {...drawn} until={until} /> : <BarChart {...drawn} />}</div>
        <ChartTable data={data} total={total} label={`Numbers of ${title} of ${subject}`} />
      </div>
    </ChartFrame>
  )
}

/** The card without its chart: while that is loading, or where there is nothing to show. */
export function ChartFrame({
  title,
  subject,
  caption,
  order = 3,
  controls,
  actions,
  children,
}: FrameProps & { actions?: ReactNode; children?: ReactNode }) {
  return (
    <section className={classes.card} aria-label={`${title} of ${subject}`}>
      <Group justify="space-between" wrap="nowrap" gap="xs" mih="1.875rem">
        <Group gap="0.25rem 0.75rem">
          <Title order={order}>{title}</Title>
          {controls}
        </Group>
        <Group gap="xs" className={classes.actions}>
          {actions}
        </Group>
      </Group>
      {caption && <p className={classes.caption}>{caption}</p>}
      {children}
    </section>
  )
}

type ActionProps = ChartData &
  Pick<FrameProps, 'title' | 'subject'> &
  FileProps & {
    /** The element with the picture. */
    chart: RefObject<HTMLElement | null>
    /** Items above the downloads. */
    children?: ReactNode
  }

/** What can be done with a chart, in the menu of its card. */
export function ChartActions(props: ActionProps) {
  const { title, subject, series, fileName, chart } = props
  const savePicture = () =>
    pictureOf(chart.current, `${title}, ${series[0]?.name} · ${subject}`).then(
      (picture) => saveFile(picture, `${fileName}.png`),
      (error) => showPanel('error', `The image could not be created. ${failureText(error)}`),
    )
  return (
    <Menu
      position="bottom-end"
      button={
        <ActionIcon variant="subtle" color="gray" aria-label={`Actions of ${title}`}>
          <IconDots size={16} aria-hidden />
        </ActionIcon>
      }
    >
      {props.children}
      <Menu.Item leftSection={<IconDownload size={14} aria-hidden />} onClick={savePicture}>
        Download as PNG
      </Menu.Item>
      <Menu.Item
        leftSection={<IconDownload size={14} aria-hidden />}
        onClick={() => saveFile(csvOf(props), `${fileName}.csv`)}
      >
        Download as CSV
      </Menu.Item>
    </Menu>
  )
}

type TableProps = { data: ChartData; total: number | undefined; label: string }

function ChartTable({ data: { pointName, series, points, valueText }, total, label }: TableProps) {
  return (
    // A box that scrolls has to be reached by the keyboard.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: see above.
    <section className={classes.tableBox} aria-label={label} tabIndex={0}>
      <table className={classes.table}>
        <thead>
          <tr className={classes.line} data-kept>
            {[pointName, ...series.map(({ name }) => name)].map((column) => (
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
              {series.map(({ name }, index) => {
                const value = point.values[index] ?? null
                return (
                  <td key={name} className="figures">
                    {value === null ? '' : valueText(value)}
                  </td>
                )
              })}
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
    </section>
  )
}

function csvOf({ pointName, series, points, places = 2, fileColumn }: ChartData & FileProps): Blob {
  const [head, text] = fileColumn ?? []
  const first = (cell: string | undefined) => (cell === undefined ? [] : [cell])
  const lines = points.map((point) => {
    const amounts = series.map((_, index) => point.values[index] ?? null)
    return csvLine([
      ...first(text),
      pointText(point),
      ...amounts.map((amount) => (amount === null ? null : { amount, places })),
    ])
  })
  return new Blob([CSV_START, csvLine([...first(head), pointName, ...series.map(({ name }) => name)]), ...lines], {
    type: 'text/csv',
  })
}
