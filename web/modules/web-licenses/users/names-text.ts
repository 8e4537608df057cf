import { countText } from '#web/lib/format.ts'

/** Maximum number of named items; the rest are counted. */
const NAMED = 5

/** "ann, bob and cid", or "ann, bob, cid, dan, eve and 12 more". */
export function namesText(names: readonly string[]): string {
  const named = names.slice(0, NAMED)
  const left = names.length - named.length
  const parts = left > 0 ? [...named, `${countText(left)} more`] : named
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`
}
