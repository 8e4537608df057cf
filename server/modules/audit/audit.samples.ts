import { auditors } from '#server/testing/samples/rules.ts'
import { alike, list, on, type Samples, sampled } from '#server/testing/samples/sample.ts'

export const auditSamples: Samples = {
  rows: {
    ...list(on(auditors), 'audit'),
    ...alike(on(auditors), 'audit/export', 'audit/exports/start'),
    ...alike(
      sampled(auditors, (customerNumber) => ({ query: { customerNumber } })),
      'audit/lines',
      'audit/checkpoints',
    ),
  },
}
