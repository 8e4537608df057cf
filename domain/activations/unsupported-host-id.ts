import { isSupportedPrefix } from '#domain/activations/host-id.ts'

/** Dongles of other makes, with their prefix or without it. */
const OTHER_DONGLE = /^(?:FLEXID=(?<prefixed>6|7|8|10|A|FILE)-|(?<bare>6|7|8|10|A)-[0-9a-f]{8}$)/i

/** The form of a host id that license files know and this portal does not, for example ANY, HOSTNAME= or FLEXID=7-. */
export function unsupportedForm(rawId: string): string | undefined {
  const id = rawId.replaceAll('"', '')
  if (/^(?:any|demo)$/i.test(id)) return id.toUpperCase()
  if (/^#\d+$/.test(id)) return `${id} (decimal)`
  const { prefixed, bare } = OTHER_DONGLE.exec(id)?.groups ?? {}
  const make = prefixed ?? bare
  if (make !== undefined) return `FLEXID=${make.toUpperCase()}-`
  const prefix = /^([a-z_][\w.]*)=/i.exec(id)?.[1]
  return prefix && !isSupportedPrefix(prefix) ? `${prefix.toUpperCase()}=` : undefined
}
