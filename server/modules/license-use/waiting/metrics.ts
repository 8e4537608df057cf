import type { getMetrics as operation } from '#contract/license-use/waiting/waiting.ts'
import { toSeatsNow } from '#server/modules/license-use/use/free-seats.ts'
import { listFree } from '#server/modules/license-use/use/use.queries.ts'
import { listWantedSeats } from '#server/modules/license-use/waiting/waiting.queries.ts'
import type { Call } from '#server/operations/route.ts'

type Labels = { readonly feature: string; readonly server: string; readonly server_id: string }
type Sample = { readonly labels: Labels; readonly value: number | null }

/** The text format of Prometheus. What is not known has no sample. */
export async function sendMetrics({ db, now, reply, standing }: Call<typeof operation>) {
  const { customerNumber } = standing
  const rows = await listFree(db, customerNumber, null)
  const seats = rows.map((row) => ({
    labels: { feature: row.feature, server: row.hostName, server_id: row.hostId },
    ...toSeatsNow(row, now),
    reserved: row.reserved,
  }))
  const names = new Map(rows.map(({ hostId, hostName }) => [hostId, hostName]))
  const wanted = (await listWantedSeats(db, customerNumber)).map(({ feature, hostId, seats }) => ({
    labels: { feature, server: names.get(hostId ?? '') ?? hostId ?? 'any', server_id: hostId ?? 'any' },
    value: seats,
  }))
  const of = (value: (row: (typeof seats)[number]) => number | null) =>
    seats.map((row): Sample => ({ labels: row.labels, value: value(row) }))
  const text = [
    metric(
      'license_seats',
      'Seats of a feature on a license server',
      of((row) => row.seats),
    ),
    metric(
      'license_seats_in_use',
      'Seats in use',
      of((row) => row.inUse),
    ),
    metric(
      'license_seats_free',
      'Seats that are neither in use nor reserved',
      of((row) => row.free),
    ),
    metric(
      'license_seats_reserved',
      'Seats that the license server reserves',
      of((row) => row.reserved),
    ),
    metric('license_seats_waiting', 'Seats that people in line wait for; server "any": on any license server', wanted),
  ].join('')
  return reply.type('text/plain; version=0.0.4; charset=utf-8').header('cache-control', 'no-store').send(text)
}

function metric(name: string, help: string, samples: readonly Sample[]): string {
  const lines = samples.flatMap(({ labels, value }) =>
    value === null ? [] : [`${name}{${labelText(labels)}} ${value}\n`],
  )
  return `# HELP ${name} ${help}\n# TYPE ${name} gauge\n${lines.join('')}`
}

const labelText = (labels: Labels) =>
  Object.entries(labels)
    .map(([name, value]) => `${name}="${escaped(value)}"`)
    .join(',')

const escaped = (value: string) => value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
