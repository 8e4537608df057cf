import type { WireContract } from '#contract/fsa/contracts.ts'
import { dayIn } from '#domain/calendar/calendar-day.ts'
import { BEFORE_USAGE, NO_ID } from '#server/testing/samples/given.ts'
import { selfServed, writers } from '#server/testing/samples/rules.ts'
import { alike, missing, on, type Samples } from '#server/testing/samples/sample.ts'
import { about, type Walk } from '#server/testing/samples/walk.ts'

export const plannerSamples: Samples = {
  rows: {
    planner: on(selfServed, BEFORE_USAGE),
    'planner/what-if': on(selfServed, { ...BEFORE_USAGE, product: 'No such product', seats: [1] }, { finds: false }),
    'planner/plans': on(selfServed),
    'planner/plans/save': on(writers, {
      ...BEFORE_USAGE,
      name: 'Matrix',
      lines: [{ product: 'No product', seats: 1 }],
    }),
    'planner/plans/remove': missing(writers, { id: NO_ID }),
    ...alike(missing(selfServed, { id: NO_ID }), 'planner/plans/export', 'planner/plans/pdf'),
    'planner/plans/draft': missing(selfServed, { id: NO_ID, fsaID: 'no-such-contract' }),
  },
  walk: planRenewal,
}

async function planRenewal({ ask, call, now, today }: Walk): Promise<void> {
  const measured = { ...about, from: dayIn('UTC', new Date(now.getTime() - 30 * 86_400_000)), to: today }
  const product = await ask('planner', { body: measured }, 'products')
  const lines = [{ product: 'Structural Mechanics Pro', seats: 2 }]
  await call('planner/what-if', { body: { ...measured, product: lines[0]?.product, seats: [1, 2] } })
  const id = await ask('planner/plans/save', { body: { ...measured, name: 'Every operation', lines } })
  const plan = { body: { ...about, id } }
  for (const name of ['planner/plans', 'planner/plans/export', 'planner/plans/pdf'] as const)
    await call(name, name === 'planner/plans' ? { body: about } : plan)
  const { body } = await call('fsa/contracts', { body: about })
  const [contract] = body.data as WireContract[]
  await call('planner/plans/draft', { body: { ...about, id, fsaID: contract?.fsaID ?? product } })
  await call('planner/plans/remove', plan)
}
