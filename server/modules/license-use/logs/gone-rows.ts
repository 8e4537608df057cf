import { listGone } from '#domain/license-use/logs/gone-checkouts.ts'
import type { RowsToReconcile } from '#server/modules/license-use/logs/checkouts.queries.ts'
import { toTexts } from '#server/modules/license-use/logs/log-rows.ts'
import { renameWith } from '#server/modules/license-use/pseudonyms.ts'

/** A checkout that is out as far as the logs say. */
type OpenRow = {
  readonly log: number
  readonly id: number
  readonly feature: string
  readonly user: string
  readonly host: string
  readonly outAt: string
}

type GoneQuestion = RowsToReconcile & {
  /** Makes pseudonyms. */
  readonly secret: Uint8Array | null
}

/** The checkouts that the last lmstat output no longer shows, as rows of the database. */
export function findGone({ open, features, holders, secret }: GoneQuestion) {
  const rename = renameWith(secret) ?? ((user: string) => user)
  const named = <R extends { readonly user: string }>(rows: readonly R[]) =>
    rows.map((row) => ({ ...row, user: rename(row.user) }))
  const gone = listGone(named<OpenRow>(JSON.parse(open)), named(JSON.parse(holders)), JSON.parse(features))
  return toTexts(gone.map(({ log, id, outAt }) => ({ log, id, outAt })))
}
