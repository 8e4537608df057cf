import { HttpError } from '#server/http/http-error.ts'

/** A cursor: where a reader is in a list, and the `changedSince` of the next walk, which the first page decided. */
export type Walk = { readonly until: string; readonly next?: string }

export const walkToken = (walk: Walk): string =>
  Buffer.from(JSON.stringify([walk.until, walk.next])).toString('base64url')

export function openWalk(token: string): Walk {
  const [until, next] = parse(token)
  if (typeof until !== 'string' || Number.isNaN(Date.parse(until)) || typeof next !== 'string')
    throw new HttpError(400, 'after is not the value of next in an earlier answer')
  return { until, next }
}

function parse(token: string): readonly unknown[] {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(token, 'base64url').toString())
    return Array.isArray(parsed) ? parsed : []
  } catch {
    return []
  }
}
