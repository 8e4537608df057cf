import { Anchor, NativeSelect, Paper, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { FeatureDetail, FeatureUse } from '#contract/license-use/license-use.ts'
import { licenseServerPath } from '#domain/activations/hosts/host.ts'
import type { DayRange } from '#domain/calendar/day-range.ts'
import { DENIAL_CAUSE_LABELS } from '#domain/license-use/logs/denial-cause.ts'
import { tooShortToAsk } from '#domain/license-use/waiting/waiting-rules.ts'
import { PortalLink } from '#web/lib/address/portal-link.tsx'
import { useKnownCustomer } from '#web/lib/customer.tsx'
import { amountText, countOf, countText, timeText } from '#web/lib/format.ts'
import { featureUseQuery, settingsQuery } from '#web/modules/license-use/license-use.api.ts'
import { SimpleTable } from '#web/modules/license-use/simple-table.tsx'
import { ASK_HOLDER } from '#web/modules/license-use/waiting/waiting-actions.ts'
import { HostLink } from '#web/parts/host-link.tsx'
import { ActionButton } from '#web/ui/actions/action-button.tsx'
import { ChartCard, ChartFrame } from '#web/ui/chart/chart-card.tsx'
import { HeatMap } from '#web/ui/chart/heat-map.tsx'
import { FailureNotice } from '#web/ui/failure-notice.tsx'
import { idText } from '#web/ui/id.tsx'
import { PendingSections } from '#web/ui/skeleton.tsx'
import classes from './license-use.module.css'

const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']
const HOURS = Array.from({ length: 24 }, (_, hour) => String(hour))
/** One feature of a license server: when it is used, by whom, who was refused, and what gives it seats. */
export function FeatureDetails({ row, days, asOf }: { row: FeatureUse; days: DayRange; asOf: string | null }) {
  const { number } = useKnownCustomer()
  const [day, setDay] = useState<string>()
  const { data, error, refetch } = useQuery(featureUseQuery(number, row, days, day))
  const subject = `${row.feature} on ${row.serverName.replaceAll(',', ', ')}`
  // The details are below the table, often out of sight.
  const section = useRef<HTMLElement>(null)
  useEffect(() => section.current?.scrollIntoView({ block: 'start' }), [])
  return (
    <Paper component="section" ref={section} className={classes.details} aria-label={`Details of ${subject}`}>
      <Title order={2}>
        {row.feature} on <HostLink host={row} />
      </Title>
      {error && <FailureNotice failure={error} onRetry={refetch} />}
      {!data && !error && <PendingSections />}
      {data && (
        <>
          <Heat detail={data} seats={row.seats} subject={subject} />
          <Course detail={data} row={row} subject={subject} day={data.day} onDay={setDay} />
          <Peaks detail={data} row={row} subject={subject} days={days} />
          <div className={classes.pair}>
            <Holders detail={data} row={row} asOf={asOf} />
            <Feeds detail={data} row={row} />
          </div>
          <div className={classes.pair}>
            <TopUse title="Users" head="User" rows={data.users} />
            <TopUse title="Client hosts" head="Host" rows={data.hosts} />
          </div>
          <Causes detail={data} days={days} />
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
      caption="Outlined hours had denials because all seats were taken."
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

const IN_USE = [
  { name: 'Most in use', look: 'steps' },
  { name: 'Seats', look: 'limit' },
] as const

function Course({ detail, row, subject, day, onDay }: ChartProps & { day: string; onDay(day: string): void }) {
  const { number } = useKnownCustomer()
  const at = new Map(detail.course.map((one) => [one.hour, one]))
  const seats = seatsByHour(detail.course)
  const days = [...new Set([...detail.days.map((one) => one.day), day])].sort().reverse()
  return (
    <ChartCard
      title={`Usage on ${day}`}
      subject={subject}
      controls={
        <NativeSelect
          size="xs"
          aria-label="Day"
          value={day}
          onChange={(event) => onDay(event.currentTarget.value)}
          data={days}
        />
      }
      description="The most seats in use in each hour of the day, beside the seats that the license server had then"
      pointName="Hour"
      series={IN_USE}
      points={HOURS.map((label, hour) => {
        const denials = at.get(hour)?.realDenials ?? 0
        return {
          label,
          values: [at.get(hour)?.peak ?? 0, seats[hour] ?? null],
          ...(denials > 0 ? { note: countOf(denials, 'real denial') } : {}),
        }
      })}
      valueText={countText}
      places={0}
      fileName={`license-use-${number}-${row.feature}-${day}`}
    />
  )
}

/** Hours without use have no entry: they have the seats of the hour before, or else of the first hour that is known. */
function seatsByHour(course: FeatureDetail['course']): (number | null)[] {
  const known = new Map(course.flatMap(({ hour, seats }) => (seats === null ? [] : [[hour, seats]])))
  let last = known.values().next().value ?? null
  return HOURS.map((_, hour) => {
    last = known.get(hour) ?? last
    return last
  })
}

const DENIED_DAYS = 'Marked days had denials because all seats were taken.'

function Peaks({ detail, row, subject, days }: ChartProps & { days: DayRange }) {
  const { number } = useKnownCustomer()
  if (detail.days.length < 2) return null
  return (
    <ChartCard
      title="Peak of every day"
      subject={subject}
      {...(detail.days.some(({ realDenials }) => realDenials > 0) ? { caption: DENIED_DAYS } : {})}
      description="The most seats in use on each day, and the seats that the license server had then"
      isByDay
      pointName="Day"
      series={IN_USE}
      points={detail.days.map(({ day, peak, seats, realDenials }) => ({
        label: day,
        values: [peak, seats],
        ...(realDenials > 0 ? { note: countOf(realDenials, 'real denial') } : {}),
      }))}
      valueText={countText}
      places={0}
      fileName={`license-use-${number}-${row.feature}-${days.from}-${days.to}`}
    />
  )
}

/** Where users are shown by their names, who holds a seat for long can be asked for it. */
function Holders({ detail, row, asOf }: { detail: FeatureDetail; row: FeatureUse; asOf: string | null }) {
  const { number } = useKnownCustomer()
  const { data: settings } = useQuery(settingsQuery(number))
  const isAskable = settings?.hasPseudonyms === false
  const { serverId, feature } = row
  return (
    <SimpleTable
      title="Who holds a seat now"
      head={['User', 'Host', 'Seats', 'Since', ...(isAskable ? [''] : [])]}
      numbers={[2]}
      empty="No seats in use."
      rows={detail.holders.map((holder, index) => ({
        key: `${index}`,
        cells: [
          holder.user,
          holder.host,
          countText(holder.seats),
          holder.since ?? 'Not known',
          isAskable && holder.kind !== 'queued' && (
            <ActionButton
              action={ASK_HOLDER}
              thing={{
                serverId,
                feature,
                user: holder.user,
                problem: tooShortToAsk(holder.since, asOf, settings.askHours),
              }}
              size="compact-sm"
              variant="default"
              aria-label={`Ask ${holder.user} for the seat`}
            />
          ),
        ],
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

function Feeds({ detail: { feeds, file }, row }: { detail: FeatureDetail; row: FeatureUse }) {
  const unused = row.neverUsed ?? 0
  return (
    <div>
      <SimpleTable
        title="Where the seats come from"
        head={['Entitlement', 'Product', 'Seats', 'Never used', 'Ends']}
        numbers={[2, 3]}
        empty="No entitlement of this account gives this license server seats of the feature."
        rows={feeds.map((feed, index) => ({
          key: feed.activationId,
          cells: [
            idText(feed.activationId),
            feed.product,
            countText(feed.seats),
            row.neverUsed === null ? 'Not known' : countText(unusedOf(feeds, index, unused)),
            feed.endDate ?? 'Permanent',
          ],
        }))}
      />
      <p className={classes.none}>
        {file ? (
          <>
            License file{' '}
            <Anchor component={PortalLink} to={licenseServerPath(row.serverId)} inherit>
              {idText(file.id)}
            </Anchor>{' '}
            was generated {timeText(file.generatedAt)}. {file.isOutOfDate && 'It is out of date.'}
          </>
        ) : (
          'There is no license file.'
        )}{' '}
        {unused > 0 &&
          `${countText(unused)} of ${countText(row.seats)} seats were never in use in this period. They are counted to the entitlements that end first.`}
      </p>
    </div>
  )
}

/** The unused seats are those of the entitlements that end first, in whose order the list is. */
function unusedOf(feeds: FeatureDetail['feeds'], index: number, unused: number): number {
  const before = feeds.slice(0, index).reduce((sum, { seats }) => sum + seats, 0)
  return Math.min(feeds[index]?.seats ?? 0, Math.max(0, unused - before))
}

function TopUse({ title, head, rows }: { title: string; head: string; rows: FeatureDetail['users'] }) {
  return (
    <SimpleTable
      title={title}
      head={[head, 'Seat hours', 'Checkouts', 'Denials']}
      numbers={[1, 2, 3]}
      rows={rows.map((row) => ({
        key: row.name,
        cells: [row.name, amountText(row.seatHours), countText(row.checkouts), countText(row.realDenials)],
      }))}
    />
  )
}

function Causes({ detail: { causes, removedBefore }, days }: { detail: FeatureDetail; days: DayRange }) {
  const isRemoved = removedBefore !== null && days.from < removedBefore
  const counts = causes.map(({ cause, denials }) => `${DENIAL_CAUSE_LABELS[cause]}: ${countText(denials)}`)
  return (
    <p className={classes.none}>
      {counts.length > 0 && `Denials by cause. ${counts.join(', ')}. `}
      {isRemoved && `Causes of denials before ${removedBefore} were removed. `}
      {counts.length === 0 && !isRemoved && 'Nobody was refused in this period.'}
    </p>
  )
}
