import { DATA_KINDS } from '#server/data/data-kinds.ts'
import type { FileKind } from '#server/data/files/file-kind.ts'
import { fulfillmentData } from '#server/modules/activations/activations.public.ts'
import { usageData } from '#server/modules/elastic/elastic.public.ts'

/** Every kind of record that files can have, each after those that it refers to: import them in this order. */
export const FILE_KINDS: readonly FileKind[] = [...DATA_KINDS, fulfillmentData, usageData] as readonly FileKind[]
