import { parseLogLine } from '#domain/license-use/logs/log-line.ts'

const STARTED = ' started on '
const STATUS = 'License server status: '
const SERVER_LINE = /^SERVER\d? (\S+) (\S+)/
const UP_OR_DOWN = /^\s*(\S+): license server (?:UP|DOWN)\b/

/** The names and ids of license servers that a debug log or lmstat output names as its own, in lower case. */
export function listNamedServers(lines: readonly string[]): string[] {
  return [...new Set(lines.flatMap((line) => namesOf(line).map((name) => name.toLowerCase())))]
}

function namesOf(line: string): string[] {
  const said = parseLogLine(line)?.message ?? line
  const started = said.indexOf(STARTED)
  if (started >= 0) return said.slice(started + STARTED.length).split(/\s/, 1)
  if (said.startsWith(STATUS))
    return said
      .slice(STATUS.length)
      .split(/[,\s]+/)
      .flatMap((address) => address.split('@').slice(1))
  const [, name, hostId] = SERVER_LINE.exec(said) ?? UP_OR_DOWN.exec(said) ?? []
  return [name, hostId].filter((text) => text !== undefined)
}
