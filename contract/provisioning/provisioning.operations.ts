import { operationsOf } from '#contract/kit/operations-of.ts'
import * as scim from '#contract/provisioning/scim.ts'

export const provisioningOperations = operationsOf(scim)
