import type { TSchema } from 'typebox'
import { expect, test } from 'vitest'
import { PLAIN_TEXT } from '#contract/kit/plain-text.ts'
import { OPERATIONS } from '#contract/operations.ts'

/**
 * Ids, addresses, dates, amounts and words of the product: compared with a known value, or checked by their own rule.
 */
const NO_PROSE = new Set(
  `customerName customerEmail customername customerNumber time id ids[] activationid activationIds[] activationId clsId
  serverId serverIdType hostId hostIdType serverName server basis fsaID ansysbpn ansyscurrency currency daemon orderid
  ansysponum ansystype ansysproduct productitemnumber startdate enddate startDate endDate dateRange date from to lastSignIn
  ansysprice ansyscount ansyspriceusd amount value pin users[] ipaddress email emails[] insteadOf recipients[]
  add[] remove[] supportEmailTo supportEmailCc ansysbusopsemails salesAccess[] fnpLicenseGenerators[] role service[] url
  item target cost product feature features[] colId columnOrder[] hiddenColumns[] tableName key licenseText * returned[] group[]
  addresses[] events[] breakGlass domain webGroupId`.split(/\s+/),
)
/** Reasons why a typed text is not normalized. */
const OTHERWISE: Readonly<Record<string, string>> = {
  'links[].text': 'A misleading link text is refused (domain/messages/alert-draft.ts).',
  'options/save.text': 'An options file, which is kept to the letter.',
  'observations[].text': 'The output of a license manager, which is kept as it is.',
  'budgets[].name': 'The name of a project or user, which is compared with usage.',
}

type Schema = TSchema & {
  readonly type?: string
  readonly anyOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Record<string, Schema>
  readonly patternProperties?: Record<string, Schema>
  readonly [keyword: string]: unknown
}

/** Texts of a request that have no format. Texts that a form started from (`old…`) are only compared. */
function freeTexts(schema: Schema, path: string): string[] {
  if (/\.old\w*$/.test(path)) return []
  if (schema.anyOf) return schema.anyOf.flatMap((one) => freeTexts(one, path))
  if (schema.type === 'array') return freeTexts(schema.items as Schema, `${path}[]`)
  if (schema.type === 'object')
    return [
      ...Object.values(schema.patternProperties ?? {}).flatMap((one) => freeTexts(one, `${path}.*`)),
      ...Object.entries(schema.properties ?? {}).flatMap(([name, one]) => freeTexts(one, `${path}.${name}`)),
    ]
  if (schema.type !== 'string' || schema[PLAIN_TEXT] !== undefined) return []
  const hasForm = ['format', 'enum', 'const'].some((keyword) => schema[keyword] !== undefined)
  const isBound = typeof schema.pattern === 'string' && schema.pattern.startsWith('^')
  const isKnown = NO_PROSE.has(path.split('.').at(-1) ?? '') || Object.keys(OTHERWISE).some((end) => path.endsWith(end))
  return hasForm || isBound || isKnown ? [] : [path]
}

test('texts that people type are plain text', () => {
  const free = OPERATIONS.filter(({ writes, access }) => writes && access.kind !== 'service').flatMap((operation) =>
    operation.body ? freeTexts(operation.body as Schema, operation.name) : [],
  )
  const advice =
    'Declare the field with PlainLine or PlainLines of contract/kit/plain-text.ts. If nobody types it as prose, add its name to NO_PROSE.'
  expect(free, advice).toEqual([])
})
