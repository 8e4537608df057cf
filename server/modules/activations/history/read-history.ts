import type { Kysely } from 'kysely'
import {
  type getHistory as historyOperation,
  MAX_ENTRIES,
  type hostTimeline as timelineOperation,
} from '#contract/activations/history/history.ts'
import { wireHostIdType } from '#contract/activations/hosts/host-fields.ts'
import type { DataOf } from '#contract/kit/operation.ts'
import { type HistoryEntry, historyGroups, type OtherHost } from '#domain/activations/history/history-groups.ts'
import { hostTimeline } from '#domain/activations/history/host-timeline.ts'
import { dayIn } from '#domain/calendar/calendar-day.ts'
import { listActsOn } from '#server/audit/audit.queries.ts'
import type { DB } from '#server/db/schema.ts'
import { type ReadyJson, successJson } from '#server/http/envelope.ts'
import { historyFilter, loadHistory, loadRehosts } from '#server/modules/activations/history/history.queries.ts'
import type { HostHistoryScope } from '#server/modules/activations/history/host-history.list.ts'
import { isSharingServers } from '#server/modules/activations/hosts/hosts.queries.ts'
import { readMachine, requireKnownHost, toHostIdentity } from '#server/modules/activations/hosts/named-host.ts'
import { listFileFacts } from '#server/modules/activations/license-files/license-files.queries.ts'
import { listForcedReturns } from '#server/modules/activations/plans/host-plans.queries.ts'
import type { Call, Result } from '#server/operations/route.ts'

type HistoryRequest = {
  readonly db: Kysely<DB>
  readonly body: { readonly customerNumber: string; readonly state?: 'Active' | 'Inactive'; readonly history?: unknown }
  readonly timeZone: string
  readonly now: Date
}

export async function hostHistoryScope({ body, db, timeZone, now }: HistoryRequest): Promise<HostHistoryScope> {
  const { customerNumber, state = null, history } = body
  const entries = history === undefined ? null : JSON.stringify(history)
  const isSharing = await isSharingServers(db, customerNumber)
  return { customerNumber, state, history: entries, timeZone, today: dayIn(timeZone, now), isSharing }
}

type HostHistory = DataOf<typeof historyOperation>[number]

/**
 * Thousands of rows that this module built: validating them against the contract would take longer than reading them.
 */
export async function getHistory(call: Call<typeof historyOperation>): Promise<ReadyJson> {
  const { body, db, standing, timeZone } = call
  const isFound = historyFilter(body.filter, timeZone)
  const machines = body.hosts.map(({ hostId, hostIdType }) => readMachine(hostId, hostIdType))
  const hosts = await Promise.all(machines.map((machine) => requireKnownHost(db, standing.customerNumber, machine)))
  const histories = await loadHistory(db, standing.customerNumber, hosts, isFound, MAX_ENTRIES + 1)
  const data: HostHistory[] = hosts.map(({ host_id, host_id_type }, at) => ({
    hostId: host_id,
    hostIdType: wireHostIdType(host_id, host_id_type),
    ...toWireHistory(histories[at] ?? []),
  }))
  return successJson(JSON.stringify(data))
}

function toWireHistory(entries: readonly HistoryEntry[]): Pick<HostHistory, 'groups' | 'isComplete'> {
  const isComplete = entries.length <= MAX_ENTRIES
  const groups = historyGroups(isComplete ? entries : entries.slice(1)).map(({ time, modifiedBy, actions, rows }) => ({
    time: time.toISOString(),
    modifiedby: [...modifiedBy],
    action: [...actions],
    rows: rows.map((row) => ({
      time: row.time.toISOString(),
      modifiedby: row.modifiedBy,
      action: row.action,
      ansysproduct: row.product,
      activationid: row.activationId,
      count: row.count,
      startdate: row.startDate,
      enddate: row.endDate,
    })),
  }))
  return { groups, isComplete }
}

const USUAL_EVENTS = 200
const MAX_REHOSTS = 1000

export async function getTimeline(call: Call<typeof timelineOperation>): Promise<Result<typeof timelineOperation>> {
  const { body, db, standing } = call
  const { limit = USUAL_EVENTS } = body
  const host = await requireKnownHost(db, standing.customerNumber, readMachine(body.hostId, body.hostIdType))
  const [[entries = []], rehosts, forced, files, mails] = await Promise.all([
    loadHistory(db, standing.customerNumber, [host], undefined, MAX_ENTRIES + 1),
    loadRehosts(db, standing.customerNumber, host, MAX_REHOSTS),
    listForcedReturns(db, standing.customerNumber, host.host_id),
    listFileFacts(db, host, limit + 1),
    listActsOn(
      db,
      { customerNumber: standing.customerNumber, target: host.host_id, action: 'fulfillments/email' },
      limit + 1,
    ),
  ])
  const otherHosts = new Map(rehosts.map((row) => [rehostKey(row), row]))
  const reasons = new Map(forced.map(({ time, requested_by, reason }) => [actKey(time, requested_by), reason]))
  const events = hostTimeline(
    entries.map((entry) => {
      if (entry.action === 'REHOST') return { ...entry, otherHost: otherHostOf(entry, otherHosts) }
      return entry.count < 0 ? { ...entry, reason: reasons.get(actKey(entry.time, entry.modifiedBy)) } : entry
    }),
    files.map((file) => ({ time: file.generated_at, by: file.generated_by, fileId: file.file_id })),
    mails.map(({ at, email, after }) => ({ time: at, by: email, ...toMail(after) })),
  )
  return {
    data: events
      .slice(0, limit)
      .map(({ time, recipients, ...event }) => ({ ...event, time: time.toISOString(), recipients: [...recipients] })),
    hasEarlier: events.length > limit || entries.length > MAX_ENTRIES,
  }
}

const actKey = (time: Date, by: string | null | undefined) => `${time.getTime()} ${by}`

type Rehost = Awaited<ReturnType<typeof loadRehosts>>[number]

const rehostKey = ({ time, activation_id, is_activated }: Pick<Rehost, 'time' | 'activation_id' | 'is_activated'>) =>
  `${time.getTime()} ${activation_id} ${is_activated}`

function otherHostOf(
  { time, activationId, count }: HistoryEntry,
  rehosts: ReadonlyMap<string, Rehost>,
): OtherHost | undefined {
  const found = rehosts.get(rehostKey({ time, activation_id: activationId, is_activated: count > 0 }))
  return found && { ...toHostIdentity(found), isListed: found.is_listed }
}

/** The part of an email's audit entry that the timeline shows. */
function toMail(after: unknown): { fileId: string | null; recipients: readonly string[] } {
  const { id = null, to = [], cc = [] } = (after ?? {}) as { id?: string; to?: string[]; cc?: string[] }
  return { fileId: id, recipients: [...to, ...cc] }
}
