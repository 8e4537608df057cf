import { IconHome } from '@tabler/icons-react'
import type { Screen } from '#web/lib/address/screen.ts'
import { accessReviewScreens } from '#web/modules/access-review/access-review.screens.ts'
import { activationsScreens } from '#web/modules/activations/activations.screens.ts'
import { auditScreens } from '#web/modules/audit/audit.screens.ts'
import { elasticScreens } from '#web/modules/elastic/elastic.screens.ts'
import { entitlementsScreens } from '#web/modules/entitlements/entitlements.screens.ts'
import { fsaScreens } from '#web/modules/fsa/fsa.screens.ts'
import { licenseUseScreens } from '#web/modules/license-use/license-use.screens.ts'
import { messagesScreens } from '#web/modules/messages/messages.screens.ts'
import { optimizationScreens } from '#web/modules/optimization/optimization.screens.ts'
import { optionsFilesScreens } from '#web/modules/options-files/options-files.screens.ts'
import { plannerScreens } from '#web/modules/planner/planner.screens.ts'
import { provisioningScreens } from '#web/modules/provisioning/provisioning.screens.ts'
import { remindersScreens } from '#web/modules/reminders/reminders.screens.ts'
import { requestsScreens } from '#web/modules/requests/requests.screens.ts'
import { settingsScreens } from '#web/modules/settings/settings.screens.ts'
import { signInProvidersScreens } from '#web/modules/sign-in-providers/sign-in-providers.screens.ts'
import { tokensScreens } from '#web/modules/tokens/tokens.screens.ts'
import { upkeepScreens } from '#web/modules/upkeep/upkeep.screens.ts'
import { webLicensesScreens } from '#web/modules/web-licenses/web-licenses.screens.ts'
import { webhooksScreens } from '#web/modules/webhooks/webhooks.screens.ts'

/** The screens of all modules. Within a group of the menu they stand in this order. */
const TABLE = [
  // Its page reads this list, so the router adds it.
  {
    path: 'home',
    title: 'Home',
    about: 'What needs attention on the selected account',
    icon: IconHome,
    group: 'Home',
    customer: 'welcome',
  },
  ...entitlementsScreens,
  ...settingsScreens,
  ...elasticScreens,
  ...fsaScreens,
  ...plannerScreens,
  ...activationsScreens,
  ...licenseUseScreens,
  ...optionsFilesScreens,
  ...webLicensesScreens,
  ...optimizationScreens,
  ...signInProvidersScreens,
  ...provisioningScreens,
  ...tokensScreens,
  ...webhooksScreens,
  ...accessReviewScreens,
  ...remindersScreens,
  ...auditScreens,
  ...requestsScreens,
  ...messagesScreens,
  ...upkeepScreens,
] as const

export type ScreenPath = (typeof TABLE)[number]['path']
export type PortalScreen = Omit<Screen, 'page'> & Partial<Pick<Screen, 'page'>> & { readonly path: ScreenPath }
export const SCREENS: readonly PortalScreen[] = TABLE

export function screenAt(path: ScreenPath): PortalScreen {
  return SCREENS.find((one) => one.path === path)!
}
