import type { AccessKind } from '#domain/access-review/access.ts'
import { DEFAULT_SETTINGS } from '#domain/access-review/schedule.ts'
import { NO_ID } from '#server/testing/samples/given.ts'
import { granters } from '#server/testing/samples/rules.ts'
import { alike, list, missing, on, type Samples } from '#server/testing/samples/sample.ts'
import { about, FIRST, type Walk } from '#server/testing/samples/walk.ts'
import { until } from '#server/testing/until.ts'

const TIMEOUT = 10_000
const reviewId = NO_ID

export const accessReviewSamples: Samples = {
  rows: {
    ...list(on(granters), 'access-review'),
    ...alike(
      on(granters),
      'access-review/export',
      'access-review/state',
      'access-review/open',
      'access-review/finished',
      'access-review/finished/count',
    ),
    'access-review/decide': missing(granters, {
      reviewId,
      act: 'keep',
      reason: '',
      entries: [{ id: 'contact:matrix@aerodyne.example', revision: 1 }],
    }),
    ...alike(
      missing(granters, { reviewId }),
      'access-review/finish',
      'access-review/pdf',
      'access-review/csv',
      'access-review/signature',
    ),
    'access-review/settings/save': on(granters, { settings: DEFAULT_SETTINGS, revision: 0 }),
  },
  walk: review,
}

type Row = { readonly id: string; readonly kind: AccessKind; readonly revision: number }

async function review({ portal, ask, call }: Walk): Promise<void> {
  await call('access-review', { body: about })
  await call('access-review/settings/save', { body: { ...about, settings: { every: 90, dueDays: 7 }, revision: 0 } })
  const opened = { ...about, reviewId: await ask('access-review/open', { body: about }) }
  await call('access-review/state', { body: about })
  await call('access-review/distinct', { body: opened })
  const { data } = (await call('access-review', { body: { ...opened, limit: 1000 } })).body
  const rows = (data ?? []) as readonly Row[]
  const kept = rows.filter(({ kind }) => kind === 'contact')
  const decide = (act: string, reason: string, entries: readonly Row[]) =>
    call('access-review/decide', {
      body: { ...opened, act, reason, entries: entries.map(({ id, revision }) => ({ id, revision })) },
    })
  await decide('keep', '', kept)
  for (const kind of ['web-user', 'token', 'calendar', 'webhook', 'grant'] as const) {
    const [first] = rows.filter((row) => row.kind === kind)
    if (first) await decide('take-away', 'Every operation', [first])
  }
  await call('access-review/finish', { body: opened })
  const files = () =>
    portal.db.selectFrom('access_review_file').select('review_id').where('customer_number', '=', FIRST).execute()
  await until(async () => (await files()).length > 0, 'the report is never made', TIMEOUT).catch(() => undefined)
  for (const file of ['pdf', 'csv', 'signature'] as const) await call(`access-review/${file}`, { body: opened })
  await call('access-review/finished', { body: about })
}
