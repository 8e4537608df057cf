import type { Static, TSchema } from 'typebox'
import { optional, text, whole } from '#contract/data/fields.ts'
import { recordKind } from '#contract/data/record-kind.ts'
import { transactionFields } from '#contract/elastic/usage/send-usage.ts'
import { exactly } from '#contract/kit/schema.ts'

const detail = (description: string, example: string, maxLength = 200) =>
  optional(text({ description, examples: [example] }, { minLength: 1, maxLength }))

/** Further columns of the usage screen, and what a file needs to import exactly what was exported. */
const details = {
  part: optional(
    whole(
      {
        description:
          'For a charge that is split over several entitlements: the second and further parts have the id of the first, and are numbered from 2',
        examples: [2],
      },
      { minimum: 2, maximum: 1000 },
    ),
  ),
  status: detail('How the session ended', 'Completed', 40),
  productLine: detail('The line of the product', 'Fluids'),
  feature: detail('The license feature; that of the catalog unless it is given', 'flow_pro'),
  featureNumber: detail('The number of the feature', '1004', 40),
  featureCount: optional(
    whole(
      { description: 'How many of the feature were used; productCount unless it is given', examples: [1] },
      { minimum: 1, maximum: 1_000_000 },
    ),
  ),
  processId: optional(
    whole({ description: 'The process on the host', examples: [4711] }, { minimum: 0, maximum: 2_147_483_647 }),
  ),
  cloudJobId: detail('The job in the cloud', 'job-700001'),
  internalIp: detail('The address of the host in its own network', '10.1.2.3', 45),
  externalIp: detail('The address from which the elastic service was reached', '203.0.113.7', 45),
  consumerId: detail('The consumer in the elastic service', 'consumer-10001'),
  acquisition: detail('How the license was acquired', 'Online', 40),
} satisfies Record<string, TSchema>

const declared = recordKind({
  name: 'usage',
  noun: 'usage',
  scope: 'usage',
  summary: 'A finished elastic transaction or a correction, booked once by its id',
  revoking: 'Booked usage stays. A correction takes its charge back.',
  key: ['serverId', 'id'],
  schema: exactly({ ...transactionFields, ...details }),
})
export type UsageRecord = Static<typeof declared.schema>

/** In files only: `POST /service/v1/usage` takes the same transactions without the details. */
export const usageRecords = {
  ...declared,
  keyOf: (row: object) => {
    const { part } = row as { part?: unknown }
    return part === undefined ? declared.keyOf(row) : `${declared.keyOf(row)}:${String(part)}`
  },
}
