import { NO_ID } from '#server/testing/samples/given.ts'
import { everyone } from '#server/testing/samples/rules.ts'
import { alike, type Samples, sampled } from '#server/testing/samples/sample.ts'

const noTask = sampled(everyone, (customerNumber) => ({ params: { id: NO_ID }, query: { customerNumber } }), {
  finds: false,
})

export const tasksSamples: Samples = {
  rows: {
    tasks: sampled(everyone, (customerNumber) => ({ query: { customerNumber } })),
    ...alike(noTask, 'tasks/status', 'tasks/file', 'tasks/delete'),
  },
}
