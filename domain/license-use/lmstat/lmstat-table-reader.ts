import { parseExpiry } from '#domain/license-use/logs/local-time.ts'
import type { TextLine } from '#domain/license-use/text-lines.ts'

type Row = { feature: string; version: string; count: number; vendor: string; expires: string | null }

/** Reads `lmstat -i`, a table from the license file alone. Its last two columns come in either order. */
export function createLmstatTableReader() {
  const rows: Row[] = []
  const problems: { line: number | null; code: string }[] = []
  let lineNumber = 0
  let isVendorFirst: boolean | null = null

  function read({ text, isTooLong }: TextLine): void {
    lineNumber += 1
    if (isTooLong) return void problems.push({ line: lineNumber, code: 'too-long' })
    const head = /^\s*Feature\s+Version\s+#licenses\s+(Vendor|Expires)/.exec(text)?.[1]
    if (head) isVendorFirst = head === 'Vendor'
    if (head || isVendorFirst === null || !text.trim() || /^\s*_/.test(text)) return
    const [feature = '', version = '', count = '', first = '', ...others] = text.trim().split(/\s+/)
    const last = others.join(' ')
    if (!/^\d+$/.test(count) || !last) problems.push({ line: lineNumber, code: 'unreadable' })
    else {
      const [vendor, expires] = isVendorFirst ? [first, last] : [last, first]
      rows.push({ feature, version, count: Number(count), vendor, expires: parseExpiry(expires) })
    }
  }

  return { read, result: () => ({ kind: 'lmstat-i' as const, rows, problems }) }
}
