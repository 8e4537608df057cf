import { NativeSelect, Paper, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { FeatureDetail, FeatureUse } from '#contract/license-use/license-use.ts'
import type { DayRange } from '#domain/calendar/day-range.ts'
import { DENIAL_CAUSE_LABELS } from '#domain/license-use/denial-cause.ts'
import { useKnownCustomer } from '#web/lib/customer.tsx'
import { amountText, countOf, countText, timeText } from '#web/lib/format.ts'
import { featureUseQuery } from '#web/modules/license-use/license-use.api.ts'
import { SimpleTable } from '#web/modules/license-use/simple-table.tsx'
import { ChartCard, ChartFrame } from '#web/ui/chart/chart-card.tsx'
import { HeatMap } from '#web/ui/chart/heat-map.tsx'
import { FailureNotice } from '#web/ui/failure-notice.tsx'
import { PendingSections } from '#web/ui/skeleton.tsx'
import classes from './license-use.module.css'

const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']
const HOURS = Array.from({ length: 24 }, (_, hour) => String(hour))
/** One feature of a license server: when it is used, by whom, who was refused, and what gives it seats. */
export function FeatureDetails({ row, days }: { row: FeatureUse; days: DayRange }) {
  const { number } = useKnownCustomer()
  const [day, setDay] = useState<string>()
  const { data, error, refetch } = useQuery(featureUseQuery(number, row, days, day))
  const subject = `${row.feature} on ${row.serverName.replaceAll(',', ', ')}`
  // The details are below the table, often out of sight.
  const section = useRef<HTMLElement>(null)
  useEffect(() => section.current?.scrollIntoView({ block: 'start' }), [])
  return (
    <Paper component="section" ref={section} className={classes.details} aria-label={`Details of ${subject}`}>
      <Title order={2}>{subject}</Title>
      {error && <FailureNotice failure={error} onRetry={refetch} />}
      {!data && !error && <PendingSections />}
      {data && (
        <>
          <Heat detail={data} seats={row.seats} subject={subject} />
          <Course detail={data} row={row} subject={subject} day={data.day} onDay={setDay} />
          <Peaks detail={data} row={row} subject={subject} days={days} />
          <div className={classes.pair}>
            <Holders detail={data} />
            <Feeds detail={data} row={row} />
          </div>
          <div className={classes.pair}>
            <TopUse title="Users" head="User" rows={data.users} />
            <TopUse title="Hosts of users" head="Host" rows={data.hosts} />
          </div>
          <Causes detail={data} />
        </>
      )}
    </Paper>
  )
}

function Heat({ detail, seats, subject }: { detail: FeatureDetail; seats: number | null; subject: string }) {
  const highest = Math.max(seats ?? 0, ...detail.heat.map(({ peak }) => peak))
  return (
    <ChartFrame
      title="Most seats in use by weekday and hour"
      subject={subject}
      caption="A frame marks hours in which somebody was turned away for lack of seats."
    >
      <HeatMap
        label={`Most seats in use by weekday and hour of ${subject}`}
        rows={WEEKDAYS}
        columns={HOURS}
        highest={highest}
        valueText={countText}
        cells={detail.heat.map(({ weekday, hour, peak, realDenials }) => ({
          row: weekday - 1,
          column: hour,
          value: peak,
          mark: realDenials > 0 ? countOf(realDenials, 'real denial') : undefined,
        }))}
      />
    </ChartFrame>
  )
}

type ChartProps = { detail: FeatureDetail; row: FeatureUse; subject: string }

const COURSE = [
  { name: 'Seats', look: 'pale bars' },
  { name: 'Most in use', look: 'bars' },
] as const

function Course({ detail, row, subject, day, onDay }: ChartProps & { day: string; onDay(day: string): void }) {
  const { number } = useKnownCustomer()
  const at = new Map(detail.course.map((one) => [one.hour, one]))
  const days = [...new Set([...detail.days.map((one) => one.day), day])].sort().reverse()
  return (
    <div>
      <NativeSelect
        className={classes.day}
        label="Day"
        value={day}
        onChange={(event) => onDay(event.currentTarget.value)}
        data={days}
      />
      <ChartCard
        title={`Course of ${day}`}
        subject={subject}
        description="The most seats in use in each hour of the day, beside the seats of the license server"
        pointName="Hour"
        series={COURSE}
        points={HOURS.map((label, hour) => {
          const denials = at.get(hour)?.realDenials ?? 0
          return {
            label,
            values: [row.seats, at.get(hour)?.peak ?? 0],
            ...(denials > 0 ? { note: countOf(denials, 'real denial') } : {}),
          }
        })}
        valueText={countText}
        places={0}
        fileName={`license-use-${number}-${row.feature}-${day}`}
      />
    </div>
  )
}

const DENIED_DAYS = 'A mark stands for a day on which somebody was turned away for lack of seats.'
const PEAKS = [
  { name: 'Most in use', look: 'steps' },
  { name: 'Seats', look: 'dashes' },
] as const

function Peaks({ detail, row, subject, days }: ChartProps & { days: DayRange }) {
  const { number } = useKnownCustomer()
  if (detail.days.length < 2) return null
  return (
    <ChartCard
      title="Peak of every day"
      subject={subject}
      {...(detail.days.some(({ realDenials }) => realDenials > 0) ? { caption: DENIED_DAYS } : {})}
      description="The most seats in use on each day, and the seats of the license server"
      isByDay
      pointName="Day"
      series={PEAKS}
      points={detail.days.map(({ day, peak, realDenials }) => ({
        label: day,
        values: [peak, row.seats],
        ...(realDenials > 0 ? { note: countOf(realDenials, 'real denial') } : {}),
      }))}
      valueText={countText}
      places={0}
      fileName={`license-use-${number}-${row.feature}-${days.from}-${days.to}`}
    />
  )
}

function Holders({ detail }: { detail: FeatureDetail }) {
  return (
    <SimpleTable
      title="Who holds a seat now"
      head={['User', 'Host', 'Seats', 'Since']}
      numbers={[2]}
      empty="Nobody holds a seat."
      rows={detail.holders.map((holder, index) => ({
        key: `${index}`,
        cells: [holder.user, holder.host, countText(holder.seats), holder.since ?? 'Not known'],
        note:
          [
            ...(holder.kind === 'in use'
              ? []
              : [holder.kind === 'queued' ? 'Waits for a seat' : 'Borrowed or lingering']),
            ...(holder.isUncertain ? ['User and host are not certain'] : []),
          ].join('. ') || undefined,
      }))}
    />
  )
}

function Feeds({ detail, row }: { detail: FeatureDetail; row: FeatureUse }) {
  const unused = row.neverUsed ?? 0
  const file = detail.fileAt
    ? `The last license file was generated ${timeText(detail.fileAt)}.`
    : 'There is no license file.'
  return (
    <div>
      <SimpleTable
        title="Where the seats come from"
        head={['Entitlement', 'Product', 'Seats', 'Ends']}
        numbers={[2]}
        empty="No entitlement of this account gives this license server seats of the feature."
        rows={detail.feeds.map((feed) => ({
          key: feed.activationId,
          cells: [feed.activationId, feed.product, countText(feed.seats), feed.endDate ?? 'Permanent'],
        }))}
      />
      <p className={classes.none}>
        {file} {unused > 0 && `${countText(unused)} of ${countText(row.seats)} seats were never in use in this period.`}
      </p>
    </div>
  )
}

function TopUse({ title, head, rows }: { title: string; head: string; rows: FeatureDetail['users'] }) {
  return (
    <SimpleTable
      title={title}
      head={[head, 'Seat hours', 'Checkouts', 'Real denials']}
      numbers={[1, 2, 3]}
      rows={rows.map((row) => ({
        key: row.name,
        cells: [row.name, amountText(row.seatHours), countText(row.checkouts), countText(row.realDenials)],
      }))}
    />
  )
}

function Causes({ detail: { causes } }: { detail: FeatureDetail }) {
  if (causes.length === 0) return <p className={classes.none}>Nobody was refused in this period.</p>
  const counts = causes.map(({ cause, denials }) => `${DENIAL_CAUSE_LABELS[cause]}: ${countText(denials)}`)
  return <p className={classes.none}>Denials by cause. {counts.join(', ')}.</p>
}
