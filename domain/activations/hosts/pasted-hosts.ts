import type { HostFormRow } from '#domain/activations/hosts/host-form.ts'
import { isSupportedPrefix, readHostId } from '#domain/activations/hosts/host-id.ts'
import { hostNameError, isPlaceholderHostName } from '#domain/activations/hosts/host-name.ts'
import { hostIdError } from '#domain/activations/hosts/host-validity.ts'
import { trimEndOf } from '#domain/trim-characters.ts'

/** What a pasted text says about a license server: one row, or the three of a triad. */
export type PastedHosts = {
  readonly rows: readonly HostFormRow[]
  /** A computer has several host ids, and a license server is named by one of them: the first was taken. */
  readonly hasOtherIds: boolean
}

/** Longer texts are no list of hosts. A license file is uploaded instead. */
const MAX_TEXT = 10_000

/** What lmhostid prints. A computer with several network cards has several ids between the quotes. */
const LMHOSTID = /host ?id of this machine is\s+"+([^"]*)"+/gi

/** Words that stand beside names and ids in emails, tables and license files, and are neither. */
const LABELS: ReadonlySet<string> = new Set(
  'server host hostname hostid host_id hostids name names id ids mac address ethernet type port and any'.split(' '),
)

/**
 * Reads names and ids of one computer or of three: lines "name id", three ids in a row, SERVER lines of a license file, or
 * what lmhostid prints. Undefined where the text has no ids, or any other number of them.
 */
export function readPastedHosts(text: string): PastedHosts | undefined {
  if (text.length > MAX_TEXT) return undefined
  const printed = [...text.matchAll(LMHOSTID)].map(([, ids = '']) => wordsOf(ids))
  const idsOfPrinted = printed.map((words) => words.filter(isHostId)).filter(({ length }) => length > 0)
  const words = printed.length > 0 ? printed.flat() : wordsOf(text)
  const ids = printed.length > 0 ? idsOfPrinted.flatMap(([first]) => first ?? []) : words.filter(isHostId)
  if (ids.length !== 1 && ids.length !== 3) return undefined
  const names = words.filter(isName)
  const rows = ids.map((word, index) => {
    const { id, type } = readHostId(word)
    return { name: names.length === ids.length ? (names[index] ?? '') : '', id, type }
  })
  return { rows, hasOtherIds: idsOfPrinted.some(({ length }) => length > 1) }
}

/** Splits at blanks, commas and the like. "name=id" are two words, "DISK_SERIAL_NUM=id" is one. */
function wordsOf(text: string): string[] {
  return text
    .split(/[\s,;|"'()]+/)
    .map((word) => trimEndOf(word, ':.'))
    .flatMap((word) => {
      const [prefix = '', rest] = word.split('=', 2)
      return rest === undefined || isSupportedPrefix(prefix) ? [word] : [prefix, rest]
    })
    .filter((word) => word !== '')
}

function isHostId(word: string): boolean {
  const { id, type } = readHostId(word)
  return hostIdError(id, type) === undefined
}

/** A number alone is the port of a SERVER line. */
function isName(word: string): boolean {
  if (isHostId(word) || /^\d+$/.test(word) || isPlaceholderHostName(word)) return false
  return !LABELS.has(word.toLowerCase()) && hostNameError(word) === undefined
}
