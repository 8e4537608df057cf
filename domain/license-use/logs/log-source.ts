import { readHostId } from '#domain/activations/hosts/host-id.ts'
import type { CalendarDay } from '#domain/calendar/calendar-day.ts'
import { formatDay } from '#domain/license-use/logs/local-time.ts'
import { createLogClock } from '#domain/license-use/logs/log-clock.ts'
import { parseLogLine } from '#domain/license-use/logs/log-line.ts'

/** What a text of a license server says about where it comes from. */
export type LogSource = {
  /** Names and ids of license servers. */
  readonly servers: readonly string[]
  /** Vendor daemons that wrote lines of a debug log. */
  readonly daemons: readonly string[]
  /** The first day of a debug log; null: not known. */
  readonly day: CalendarDay | null
}

/** License server names follow these words of debug logs and lmstat output. */
const NAME_FOLLOWS = [' started on ', 'Host used in license file: ', 'License server status: ']
const NAME_PRECEDES = ': license server '

/** Reads where a text comes from. Its beginning is enough: license managers say it when they start. */
export function readLogSource(text: string): LogSource {
  const servers = new Set<string>()
  const daemons = new Set<string>()
  const clock = createLogClock()
  let day: CalendarDay | null = null
  for (const raw of text.split('\n')) {
    const line = parseLogLine(raw.trimEnd())
    const said = (line?.message ?? raw).trim()
    for (const name of namesIn(said)) servers.add(name.toLowerCase())
    if (!line) continue
    if (line.daemon !== 'lmgrd') daemons.add(line.daemon)
    const time = clock.next(line).time.day
    if (day === null && time !== null) day = formatDay(time)
  }
  return { servers: [...servers], daemons: [...daemons], day }
}

function namesIn(said: string): string[] {
  const words = said.split(' ')
  if (words[0] === 'SERVER') return [words[1] ?? '', readHostId(words[2] ?? '').id]
  const follow = NAME_FOLLOWS.find((one) => said.includes(one))
  const named = follow ? said.slice(said.indexOf(follow) + follow.length).split(' ')[0] : said.split(NAME_PRECEDES)[0]
  if (!named || named === said) return []
  // `1055@lic-1,1055@lic-2` is a triad.
  return named.split(',').map((one) => one.slice(one.indexOf('@') + 1))
}

type Server = { readonly serverId: string; readonly serverName: string }

/** The one license server that a text names; undefined if it names none or several of them. */
export function serverOf<S extends Server>(servers: readonly S[], source: LogSource): S | undefined {
  const shortName = (name: string) => name.split('.')[0] ?? name
  const isNamed = ({ serverId, serverName }: S) =>
    serverId
      .toLowerCase()
      .split(',')
      .some((id) => source.servers.includes(id)) ||
    serverName
      .toLowerCase()
      .split(',')
      .some((name) => source.servers.some((one) => shortName(one) === shortName(name)))
  const named = servers.filter(isNamed)
  return named.length === 1 ? named[0] : undefined
}

type Known = Server & { readonly daemons: readonly string[]; readonly firstFileOn: CalendarDay | null }

/** What speaks against a text being of a license server, for the person to decide. */
export function doubtsAbout({ serverName, daemons, firstFileOn }: Known, source: LogSource): string[] {
  const name = serverName.replaceAll(',', ', ')
  const isOther =
    daemons.length > 0 && source.daemons.length > 0 && !source.daemons.some((one) => daemons.includes(one))
  return [
    ...(isOther
      ? [`The log is of vendor daemon ${source.daemons.join(', ')}. ${name} has licenses of ${daemons.join(', ')}.`]
      : []),
    ...(source.day !== null && firstFileOn !== null && source.day < firstFileOn
      ? [`The log begins on ${source.day}, before the first license file of ${name} (${firstFileOn}).`]
      : []),
  ]
}
