import { Button, Paper, SegmentedControl, Select, Text, TextInput } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useMemo, useState } from 'react'
import type { PlannerProduct, SavedPlan } from '#contract/planner/planner.ts'
import { NOT_ENOUGH_PERMISSIONS } from '#domain/access/can.ts'
import { addDays, type CalendarDay, isCalendarDay } from '#domain/calendar/calendar-day.ts'
import type { DayRange } from '#domain/calendar/day-range.ts'
import { endDateWith } from '#domain/entitlements/term.ts'
import { formatDecimal } from '#domain/money/decimal.ts'
import {
  durationsOf,
  MAX_PLAN_NAME,
  PROPOSAL_TEXTS,
  PROPOSALS,
  type Proposal,
  planTotals,
  proposedSeats,
} from '#domain/planner/proposals.ts'
import { useSave } from '#web/form/use-save.ts'
import { call } from '#web/lib/api/api-client.ts'
import { useCan, useKnownCustomer } from '#web/lib/customer.tsx'
import { OpenedPlan, useLinkedPlan } from '#web/modules/planner/opened-plan.tsx'
import { type Ends, plannerQuery } from '#web/modules/planner/planner.api.ts'
import { PLANNED_FIELDS, type PlannedRow, plannedColumns, toPlannedRow } from '#web/modules/planner/planner-columns.tsx'
import { SavedPlans } from '#web/modules/planner/saved-plans.tsx'
import { WhatIf } from '#web/modules/planner/what-if.tsx'
import { leasesEndText } from '#web/parts/entitlement/leases-end-text.ts'
import { DataTable } from '#web/table/data-table.tsx'
import { loadedSource } from '#web/table/list/use-loaded-list.ts'
import { useTable } from '#web/table/use-table.ts'
import { useTableView } from '#web/table/view/use-table-view.ts'
import { daysOf, type Period, REPORT_PERIODS, readPeriod, savePeriod } from '#web/ui/date-range/period.ts'
import { PeriodBar } from '#web/ui/date-range/period-bar.tsx'
import { PageHead } from '#web/ui/page-head.tsx'
import { ReasonTooltip } from '#web/ui/reason-tooltip.tsx'
import { SignalStrip } from '#web/ui/signal-strip.tsx'
import classes from './planner.module.css'

/** The saved view knows the columns by their ids: what they do on a change does not matter there. */
const VIEW_COLUMNS = plannedColumns(() => {})
const VIEW = { tableName: 'renewalPlanner', columns: VIEW_COLUMNS, sorting: [], urlPrefix: '' } as const
const BY_PRODUCT = [{ column: 'product', direction: 'asc' }] as const

const ENDS = [
  { value: 'all', label: 'Everything' },
  { value: '30', label: 'Within 30 days' },
  { value: '90', label: 'Within 90 days' },
  { value: '180', label: 'Within 180 days' },
  { value: '365', label: 'Within a year' },
  { value: 'period', label: 'From … to …' },
]

type Typed = Readonly<Record<string, number>>
const NOTHING_TYPED: Typed = {}

/** What to renew: seats of every product, from what was bought, activated and measured. */
export function Page() {
  const { number, info } = useKnownCustomer()
  const { extra, isReady } = useTableView({ ...VIEW, customerNumber: number })
  const [opened, setOpened] = useState<SavedPlan>()
  const period: Period = opened
    ? { range: { from: opened.from, to: opened.to } }
    : readPeriod(extra, info.timeZone, REPORT_PERIODS)
  const days = daysOf(period, info.today)
  const [ends, setEnds] = useState('all')
  const [endDays, setEndDays] = useState({ from: info.today, to: addDays(info.today, 90) })
  const isPeriod = ends === 'period'
  const arePlausible = isCalendarDay(endDays.from) && isCalendarDay(endDays.to) && endDays.from <= endDays.to
  const chosenEnds = endsOf(ends, endDays, info.today)
  const [proposal, setProposal] = useState<Proposal>('as-is')
  const [typed, setTyped] = useState(NOTHING_TYPED)
  const query = useQuery({
    ...plannerQuery(number, days, chosenEnds),
    enabled: isReady && (!isPeriod || arePlausible),
  })
  const rows = useMemo(
    () =>
      query.data?.products.map((one) =>
        toPlannedRow(one, typed[one.product] ?? proposedSeats(proposal, one.bought, one.measured)),
      ),
    [query.data, typed, proposal],
  )
  const type = useCallback(
    (product: string, seats: number) => setTyped((before) => ({ ...before, [product]: seats })),
    [],
  )
  const columns = useMemo(() => plannedColumns(type), [type])
  const source = loadedSource(['planner', number, days.from, days.to, chosenEnds], PLANNED_FIELDS, {
    error: query.error,
    refetch: query.refetch,
    data: rows,
  })
  const table = useTable({ ...VIEW, columns, naturalSorting: BY_PRODUCT, rowKey, source })
  const choose = (next: Period) => {
    setOpened(undefined)
    table.state.change(({ view }) => ({ view, extra: savePeriod(next, REPORT_PERIODS) }))
  }
  const detail = useCallback(
    (row: PlannedRow) => <WhatIf row={row} days={{ from: days.from, to: days.to }} />,
    [days.from, days.to],
  )
  const open = useCallback(
    (plan: SavedPlan) => {
      setOpened(plan)
      const { endsFrom, endsBy } = plan
      setEnds(endsBy !== null && endsBy >= (endsFrom ?? info.today) ? 'period' : 'all')
      setEndDays((now) => (endsBy === null ? now : { from: endsFrom ?? info.today, to: endsBy }))
      setTyped(Object.fromEntries(plan.lines.map(({ product, seats }) => [product, seats])))
    },
    [info.today],
  )
  const isMissing = useLinkedPlan(open)
  return (
    <>
      <PageHead />
      <div className={classes.sections}>
        {isMissing && <SignalStrip signal="orange">There is no such plan. Somebody may have removed it.</SignalStrip>}
        {opened && <OpenedPlan plan={opened} onClose={() => setOpened(undefined)} />}
        <div className={classes.choice}>
          <span>Renew</span>
          <Select
            aria-label="Ending"
            size="xs"
            w="9.5rem"
            data={ENDS}
            value={ends}
            allowDeselect={false}
            onChange={(value) => setEnds(value ?? 'all')}
          />
          {isPeriod && (
            <>
              <TextInput
                type="date"
                size="xs"
                aria-label="Ending from"
                value={endDays.from}
                onChange={({ currentTarget: { value } }) => setEndDays((now) => ({ ...now, from: value }))}
              />
              <TextInput
                type="date"
                size="xs"
                aria-label="Ending until"
                value={endDays.to}
                error={arePlausible ? undefined : 'The first day must be before the last one.'}
                onChange={({ currentTarget: { value } }) => setEndDays((now) => ({ ...now, to: value }))}
              />
            </>
          )}
          <span>as</span>
          <SegmentedControl
            size="xs"
            aria-label="Proposal"
            data={PROPOSALS.map((value) => ({ value, label: PROPOSAL_TEXTS[value].name }))}
            // No proposal is the plan that is open.
            value={opened ? '' : proposal}
            onChange={(value) => {
              setOpened(undefined)
              setProposal(value as Proposal)
              setTyped(NOTHING_TYPED)
            }}
          />
          <span>by the use of</span>
          <PeriodBar periods={REPORT_PERIODS} period={period} days={days} onChoose={choose} />
        </div>
        <div>
          <Text className={classes.note}>
            {opened ? 'As many seats as in the plan' : PROPOSAL_TEXTS[proposal].about}, unless you change a number.
            Treats all your license servers as one pool.
          </Text>
          {query.data && ends !== 'all' && (
            <Text className={classes.note}>{endingText(query.data.products, ends)}.</Text>
          )}
        </div>
        {!rows && !query.error && <Paper className={classes.plan} aria-hidden />}
        {rows && rows.length > 0 && <PlanBar rows={rows} days={days} ends={chosenEnds} />}
        <DataTable
          table={table}
          label="Products to renew"
          what="products"
          isTwoLine
          rowName={rowKey}
          detail={detail}
          noRows={
            ends === 'all' ? 'This account has no seats for license servers.' : 'No server licenses end in this period.'
          }
        />
        <SavedPlans onOpen={open} />
      </div>
    </>
  )
}

function endsOf(ends: string, { from, to }: DayRange, today: CalendarDay): Ends {
  if (ends === 'all') return {}
  return ends === 'period' ? { endsFrom: from, endsBy: to } : { endsBy: endDateWith(Number(ends), today) }
}

function endingText(products: readonly PlannerProduct[], ends: string): string {
  const sum = (count: (one: PlannerProduct) => number) => products.reduce((all, one) => all + count(one), 0)
  const when = ENDS.find(({ value }) => value === ends && value !== 'period')?.label.toLowerCase() ?? 'in this period'
  return leasesEndText(
    sum(({ endingLeases }) => endingLeases),
    sum(({ endingWithSeats }) => endingWithSeats),
    when,
  )
}

const rowKey = (row: PlannedRow) => row.product

const pricesText = (durations: readonly string[]) =>
  durations.length > 1
    ? `Prices are for different times: ${durations.join(', ')}.`
    : `Prices are for ${durations.join('')}.`

type BarProps = { rows: readonly PlannedRow[]; days: DayRange; ends: Ends }

/** What the plan costs, and saving it: in sight while its seats are changed. */
function PlanBar({ rows, days, ends }: BarProps) {
  const { number } = useKnownCustomer()
  const queries = useQueryClient()
  const mayWrite = useCan('planner.write')
  const [name, setName] = useState('')
  const { save, isSaving } = useSave({
    send: (saved: { name: string; lines: { product: string; seats: number }[] }, key) =>
      call('planner/plans/save', { body: { customerNumber: number, ...days, ...ends, ...saved }, idempotencyKey: key }),
    success: 'The plan has been saved.',
    onSaved: async () => {
      setName('')
      await queries.invalidateQueries({ queryKey: ['planner/plans'] })
    },
  })
  const totals = planTotals(rows)
  const reason = mayWrite ? (name.trim() === '' ? 'Enter a name.' : undefined) : NOT_ENOUGH_PERMISSIONS
  return (
    <Paper component="section" className={classes.plan} aria-label="Plan">
      {totals.length === 0 && <span>There is no price list for these products.</span>}
      {totals.map(({ currency, cost, difference }) => (
        <span key={currency} className="figures">
          <strong>
            {formatDecimal(cost, 2)} {currency}
          </strong>
          , {Number(difference) > 0 ? '+' : ''}
          {formatDecimal(difference, 2)} to today
        </span>
      ))}
      {totals.length > 0 && <Text className={classes.note}>{pricesText(durationsOf(rows))}</Text>}
      <TextInput
        size="xs"
        aria-label="Name of the plan"
        placeholder="Name of the plan"
        className={classes.planName}
        value={name}
        maxLength={MAX_PLAN_NAME}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <ReasonTooltip reason={reason}>
        <Button
          size="xs"
          loading={isSaving}
          onClick={() => save({ name, lines: rows.map(({ product, seats }) => ({ product, seats })) })}
        >
          Save plan
        </Button>
      </ReasonTooltip>
    </Paper>
  )
}
