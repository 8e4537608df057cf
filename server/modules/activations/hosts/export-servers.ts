import { HISTORY_BATCH, type exportServers as operation } from '#contract/activations/history/history.ts'
import { ACTION_WORDS, type HistoryEntry, historyGroups } from '#domain/activations/history/history-groups.ts'
import { hostParts } from '#domain/activations/hosts/host.ts'
import { parseHostIdType } from '#domain/activations/hosts/host-id.ts'
import { batches } from '#domain/activations/plans/plan.ts'
import { HttpError } from '#server/http/http-error.ts'
import type { RowOf } from '#server/lists/list-source.ts'
import { historyFilter, loadHistory } from '#server/modules/activations/history/history.queries.ts'
import { hostHistorySource } from '#server/modules/activations/history/host-history.list.ts'
import { hostHistoryScope } from '#server/modules/activations/history/read-history.ts'
import { findHostIds } from '#server/modules/activations/hosts/hosts.queries.ts'
import { type CsvCells, csvAnswer } from '#server/operations/file-answer.ts'
import type { Call, SentFile } from '#server/operations/route.ts'

const HEADER = [
  'Hostname (hostid)',
  'Time (UTC)',
  'Modified by',
  'Action',
  'Product',
  'Entitlement',
  'Count',
  'Start Date',
  'End Date',
]

/** Maximum number of ids listed in the 404. */
const MAX_NAMED = 10

type HostRow = RowOf<typeof hostHistorySource>

/**
 * Everything that matches: for every host, the rows that the screen shows. Memory holds the histories of a few hosts.
 */
export async function exportServers(call: Call<typeof operation>): Promise<SentFile> {
  const { body, db, later, services, timeZone } = call
  const isFound = historyFilter(body.history, timeZone)
  const named = new Set(hostParts((body.hostIds ?? '').toLowerCase()).filter(Boolean))
  await refuseUnknown(call, named)
  return csvAnswer(call, `${body.state ?? ''}Servers_${body.customerNumber}.csv`, HEADER, lines())

  async function* lines(): AsyncGenerator<CsvCells[], void> {
    // A triad is named by its three ids.
    const isNamed = ({ serverId }: HostRow) => named.size === 0 || hostParts(serverId).every((id) => named.has(id))
    let isFirst = true
    for await (const rows of services.lists.rows(db, hostHistorySource, await hostHistoryScope(call), body, {
      later,
      timeZone,
    }))
      for (const hosts of batches(rows.filter(isNamed), HISTORY_BATCH)) {
        const load = () => loadHistory(db, body.customerNumber, hosts.map(toHost), isFound)
        const histories = await (isFirst ? load() : later(load))
        isFirst = false
        yield hosts.flatMap((host, at) => linesOf(host, histories[at] ?? []))
      }
  }
}

async function refuseUnknown({ body, db }: Call<typeof operation>, named: ReadonlySet<string>): Promise<void> {
  if (named.size === 0) return
  const hosts = await findHostIds(db, body.customerNumber, [...named])
  const known = new Set(hosts.flatMap(hostParts))
  const unknown = [...named].filter((id) => !known.has(id))
  if (unknown.length > 0)
    throw new HttpError(404, `This account has no license server ${unknown.slice(0, MAX_NAMED).join(', ')}`)
}

function toHost({ serverId, serverIdType }: HostRow) {
  const type = parseHostIdType(hostParts(serverIdType)[0] ?? '')
  if (!type) throw new Error(`${serverIdType} came from the database`)
  return { host_id: serverId, host_id_type: type }
}

function linesOf({ serverName, hostid }: HostRow, entries: readonly HistoryEntry[]): CsvCells[] {
  return historyGroups(entries)
    .flatMap(({ rows }) => rows)
    .map((row) => [
      `${serverName} (${hostid})`,
      row.time,
      row.modifiedBy,
      ACTION_WORDS[row.action],
      row.product,
      row.activationId,
      row.count,
      row.startDate,
      row.endDate,
    ])
}
