import { operationsOf } from '#contract/kit/operations-of.ts'
import * as environment from '#contract/settings/environment.ts'
import * as features from '#contract/settings/features.ts'
import * as portalAccess from '#contract/settings/portal-access.ts'
import * as portalAccessSwitches from '#contract/settings/portal-access-switches.ts'
import * as preferences from '#contract/settings/preferences.ts'
import * as tableViews from '#contract/settings/table-views.ts'
import * as viewAs from '#contract/settings/view-as.ts'

export const settingsOperations = operationsOf(
  environment,
  features,
  portalAccess,
  portalAccessSwitches,
  preferences,
  tableViews,
  viewAs,
)
