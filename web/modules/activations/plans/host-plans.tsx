import { Progress, Text } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import type { HostPlan } from '#contract/activations/plans/plan-fields.ts'
import type { HostIdentity } from '#domain/activations/hosts/host.ts'
import { useKnownCustomer } from '#web/lib/customer.tsx'
import { timeText } from '#web/lib/format.ts'
import classes from '#web/modules/activations/history/history.module.css'
import { plansQuery, reloadHistory } from '#web/modules/activations/plans/host-plan.api.ts'
import {
  isPlanOf,
  nextText,
  planName,
  planParts,
  stoppedPlans,
  workText,
} from '#web/modules/activations/plans/plan-names.ts'
import { HostLink } from '#web/parts/host-link.tsx'
import { FailureNotice } from '#web/ui/failure-notice.tsx'
import { SignalStrip } from '#web/ui/signal-strip.tsx'

/** More than a person can follow at once. */
const MAX_SEEN = 100

/** Stopped plans that the person has dismissed. */
export function useSeenPlans() {
  const [seen, setSeen] = useLocalStorage<readonly string[]>({ key: 'stopped-plans-seen', defaultValue: [] })
  return { seen, markSeen: (id: string) => setSeen([id, ...seen].slice(0, MAX_SEEN)) }
}

type Props = {
  /** Only plans of this license server. */
  host?: HostIdentity
  /** A plan that the screen shows by itself. */
  except?: string | undefined
  /** False while a reload would drop what the person is editing. */
  reloadsAtEnd?: boolean
}

/** Plans that are running, no matter who requested them, and plans that were stopped. */
export function HostPlans({ host, except, reloadsAtEnd = true }: Props) {
  const { number } = useKnownCustomer()
  const { data = [] } = useQuery(plansQuery(number))
  const { seen, markSeen } = useSeenPlans()
  const plans = data.filter((plan) => plan.id !== except && (!host || isPlanOf(plan, host)))
  const running = plans.filter(({ finishedAt }) => finishedAt === null)
  const stopped = stoppedPlans(plans).filter(({ id }) => !seen.includes(id))
  useReloadAtEnd(running.length, reloadsAtEnd)
  if (running.length + stopped.length === 0) return null
  return (
    <section className={classes.plans} aria-label="Changes of license servers">
      {running.map((plan) => (
        <SignalStrip key={plan.id} signal="blue" role="status">
          <Running plan={plan} />
        </SignalStrip>
      ))}
      {stopped.map((plan) => (
        <SignalStrip
          key={plan.id}
          signal="red"
          role="status"
          closeLabel={`Dismiss: ${planName(plan)}`}
          onClose={() => markSeen(plan.id)}
        >
          <strong>
            <PlanName plan={plan} /> has stopped.
          </strong>{' '}
          {plan.failure?.err}
          <Text my="0.25rem">{workText(plan)}</Text>
          <Text my="0.25rem">{nextText(plan)}</Text>
          <Who plan={plan} />
        </SignalStrip>
      ))}
    </section>
  )
}

function Running({ plan }: { plan: HostPlan }) {
  const { text, done, total } = plan
  return (
    <>
      <strong>
        <PlanName plan={plan} />.
      </strong>{' '}
      {text || 'Waiting...'} Step {Math.min(done + 1, total)} of {total}
      <Progress value={Math.max(4, (done / total) * 100)} aria-label={planName(plan)} my={6} size="sm" />
      <Who plan={plan} />
    </>
  )
}

/** The license servers in it lead to their pages. */
function PlanName({ plan }: { plan: HostPlan }) {
  return planParts(plan).map((part) => (typeof part === 'string' ? part : <HostLink key={part.serverId} host={part} />))
}

const STATES: Readonly<Record<HostPlan['state'], string>> = {
  waiting: 'Waiting',
  running: 'Running',
  done: 'Done',
  failed: 'Stopped',
}

/** The plans of one license server that the server still knows, the newest first. */
export function PlanList({ host }: { host: HostIdentity }) {
  const { number } = useKnownCustomer()
  const { data, error, refetch } = useQuery(plansQuery(number))
  if (error) return <FailureNotice failure={error} onRetry={refetch} />
  const plans = (data ?? []).filter((plan) => isPlanOf(plan, host))
  if (plans.length === 0) return <Text c="dimmed">No recent changes.</Text>
  return (
    <ul className={classes.planList}>
      {plans.map((plan) => (
        <li key={plan.id}>
          <PlanName plan={plan} />: {STATES[plan.state]}
          <Who plan={plan} />
        </li>
      ))}
    </ul>
  )
}

function Who({ plan: { requestedBy, requestedAt } }: { plan: HostPlan }) {
  return (
    <p className={classes.who}>
      Requested by {requestedBy}, <time dateTime={requestedAt}>{timeText(requestedAt)}</time>
    </p>
  )
}

/** What has ended has changed the hosts. */
function useReloadAtEnd(running: number, reloads: boolean): void {
  const queries = useQueryClient()
  const before = useRef(0)
  useEffect(() => {
    if (running < before.current && reloads) void reloadHistory(queries)
    before.current = running
  }, [running, reloads, queries])
}
