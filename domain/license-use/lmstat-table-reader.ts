import { parseExpiry } from '#domain/license-use/local-time.ts'
import type { TextLine } from '#domain/license-use/text-lines.ts'

type Row = { feature: string; version: string; count: number; vendor: string; expires: string | null }

/** Reads `lmstat -i`, a table from the license file alone. Its last two columns come in either order. */
export function createLmstatTableReader() {
  const rows: Row[] = []
  const problems: { line: number | null; code: string }[] = []
  let lineNumber = 0
  let isVendorFirst: boolean | null = null

  function read({ text }: TextLine): void {
    lineNumber += 1
    const head = /^\s*Feature\s+Version\s+#licenses\s+(Vendor|Expires)/.exec(text)?.[1]
    if (head) isVendorFirst = head === 'Vendor'
    if (head || isVendorFirst === null || !text.trim() || /^\s*_/.test(text)) return
    const [, feature = '', version = '', count, rest = ''] = /^\s*(\S+)\s+(\S+)\s+(\d+)\s+(.*?)\s*$/.exec(text) ?? []
    const [, first = '', last = ''] = /^(\S+(?:\(.*\))?)\s+(.*)$/.exec(rest) ?? []
    if (!first || !last) problems.push({ line: lineNumber, code: 'unreadable' })
    else {
      const [vendor, expires] = isVendorFirst ? [first, last] : [last, first]
      rows.push({ feature, version, count: Number(count), vendor, expires: parseExpiry(expires) })
    }
  }

  return { read, result: () => ({ kind: 'lmstat-i' as const, rows, problems }) }
}
