import { operationsOf } from '#contract/kit/operations-of.ts'
import * as denials from '#contract/license-use/denials.ts'
import * as licenseUse from '#contract/license-use/license-use.ts'
import * as logs from '#contract/license-use/logs.ts'
import * as observations from '#contract/license-use/observations.ts'
import * as uploads from '#contract/license-use/uploads.ts'
import * as waiting from '#contract/license-use/waiting/waiting.ts'

export const licenseUseOperations = operationsOf(denials, licenseUse, logs, observations, uploads, waiting)
