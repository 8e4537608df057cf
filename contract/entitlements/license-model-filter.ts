import {
  LICENSE_MODEL_GROUPS,
  type LicenseModelGroup,
  MODELS_OF_GROUP,
  MODELS_OUTSIDE_NETWORK,
  NODE_LOCKED_MARK,
} from '#domain/entitlements/license-model.ts'
import type { CriterionInput, FilterInput } from '#domain/filter/filter.ts'

/** The groups whose name fits, as their underlying models; undefined if none does. */
export function licenseModelFilter(method: 'CONTAINS' | 'EQUALS', text: string): FilterInput | undefined {
  const typed = text.toLowerCase()
  const groups = LICENSE_MODEL_GROUPS.filter((group) => {
    const name = group.toLowerCase()
    return method === 'EQUALS' ? name === typed : name.includes(typed)
  })
  if (groups.length === 0) return undefined
  return { condition: 'ANY', criteria: groups.map(modelsOf) }
}

/** Exactly the rows that `licenseModelGroup` puts into the group. */
function modelsOf(group: LicenseModelGroup): FilterInput {
  if (group === 'Node Locked') return { condition: 'ANY', criteria: [nodeLockedByName, isModel('Node Locked')] }
  return { condition: 'ALL', criteria: [{ ...nodeLockedByName, not: true }, ...underlying(group)] }
}

/** A model that nobody told us about is a network one: so Network is all that is nothing else. */
function underlying(group: LicenseModelGroup): (CriterionInput | FilterInput)[] {
  if (group === 'Network') return MODELS_OUTSIDE_NETWORK.map((model) => ({ ...isModel(model), not: true }))
  return [{ condition: 'ANY', criteria: MODELS_OF_GROUP[group].map(isModel) }]
}

const isModel = (model: string): CriterionInput => ({
  name: 'LicenseModel',
  method: 'EQUALS',
  value: model,
  casefold: false,
})

const nodeLockedByName: CriterionInput = {
  name: 'ProductName',
  method: 'CONTAINS',
  value: NODE_LOCKED_MARK,
  casefold: false,
}
