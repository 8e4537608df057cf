import { demoEmailId } from '#server/demo/parts/emails.demo.ts'
import { NO_ID } from '#server/testing/samples/given.ts'
import { alike, authors, type Samples } from '#server/testing/samples/sample.ts'
import { SECOND, type Walk } from '#server/testing/samples/walk.ts'

export const outboxSamples: Samples = {
  rows: {
    ...alike({ kind: authors, sample: () => ({ body: {} }) }, 'outbox/failed', 'outbox/failed/count'),
    'outbox/resend': { kind: { ...authors, finds: false }, sample: () => ({ params: { id: NO_ID } }) },
  },
  walk: sendAgain,
}

async function sendAgain({ call }: Walk): Promise<void> {
  await call('outbox/resend', { params: { id: demoEmailId(SECOND, 4) } })
}
