import { accessReviewModule } from '#server/modules/access-review/access-review.module.ts'
import { accountsModule } from '#server/modules/accounts/accounts.module.ts'
import { activationsModule } from '#server/modules/activations/activations.module.ts'
import { auditModule } from '#server/modules/audit/audit.module.ts'
import { catalogModule } from '#server/modules/catalog/catalog.module.ts'
import { elasticModule } from '#server/modules/elastic/elastic.module.ts'
import { entitlementsModule } from '#server/modules/entitlements/entitlements.module.ts'
import { fsaModule } from '#server/modules/fsa/fsa.module.ts'
import { homeModule } from '#server/modules/home/home.module.ts'
import { leaversModule } from '#server/modules/leavers/leavers.module.ts'
import { licenseUseModule } from '#server/modules/license-use/license-use.module.ts'
import { messagesModule } from '#server/modules/messages/messages.module.ts'
import type { Module } from '#server/modules/module.ts'
import { optimizationModule } from '#server/modules/optimization/optimization.module.ts'
import { optionsFilesModule } from '#server/modules/options-files/options-files.module.ts'
import { plannerModule } from '#server/modules/planner/planner.module.ts'
import { provisioningModule } from '#server/modules/provisioning/provisioning.module.ts'
import { remindersModule } from '#server/modules/reminders/reminders.module.ts'
import { requestsModule } from '#server/modules/requests/requests.module.ts'
import { searchModule } from '#server/modules/search/search.module.ts'
import { serviceModule } from '#server/modules/service/service.module.ts'
import { settingsModule } from '#server/modules/settings/settings.module.ts'
import { setupModule } from '#server/modules/setup/setup.module.ts'
import { signInProvidersModule } from '#server/modules/sign-in-providers/sign-in-providers.module.ts'
import { staffModule } from '#server/modules/staff/staff.module.ts'
import { tokensModule } from '#server/modules/tokens/tokens.module.ts'
import { upkeepModule } from '#server/modules/upkeep/upkeep.module.ts'
import { webLicensesModule } from '#server/modules/web-licenses/web-licenses.module.ts'
import { webhooksModule } from '#server/modules/webhooks/webhooks.module.ts'

/** All modules: what is not in this list is not in the product. */
export const MODULES: readonly Module[] = [
  accountsModule,
  elasticModule,
  entitlementsModule,
  activationsModule,
  licenseUseModule,
  optionsFilesModule,
  fsaModule,
  webLicensesModule,
  optimizationModule,
  messagesModule,
  remindersModule,
  tokensModule,
  signInProvidersModule,
  requestsModule,
  leaversModule,
  provisioningModule,
  webhooksModule,
  accessReviewModule,
  plannerModule,
  serviceModule,
  settingsModule,
  setupModule,
  homeModule,
  searchModule,
  upkeepModule,
  auditModule,
  catalogModule,
  staffModule,
]
