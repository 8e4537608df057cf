import { operationsOf } from '#contract/kit/operations-of.ts'
import * as provisioning from '#contract/provisioning/provisioning.ts'
import * as scim from '#contract/provisioning/scim.ts'

export const provisioningOperations = operationsOf(provisioning, scim)
