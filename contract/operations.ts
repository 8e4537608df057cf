import { accessReviewOperations } from '#contract/access-review/access-review.operations.ts'
import { accountsOperations } from '#contract/accounts/accounts.operations.ts'
import { activationsOperations } from '#contract/activations/activations.operations.ts'
import { auditOperations } from '#contract/audit/audit.operations.ts'
import { dataOperations } from '#contract/data/data.operations.ts'
import { elasticOperations } from '#contract/elastic/elastic.operations.ts'
import { entitlementsOperations } from '#contract/entitlements/entitlements.operations.ts'
import { fsaOperations } from '#contract/fsa/fsa.operations.ts'
import { homeOperations } from '#contract/home/home.operations.ts'
import type { Operation } from '#contract/kit/operation.ts'
import { licenseUseOperations } from '#contract/license-use/license-use.operations.ts'
import { messagesOperations } from '#contract/messages/messages.operations.ts'
import { optimizationOperations } from '#contract/optimization/optimization.operations.ts'
import { optionsFilesOperations } from '#contract/options-files/options-files.operations.ts'
import { outboxOperations } from '#contract/outbox/outbox.operations.ts'
import { plannerOperations } from '#contract/planner/planner.operations.ts'
import { provisioningOperations } from '#contract/provisioning/provisioning.operations.ts'
import { remindersOperations } from '#contract/reminders/reminders.operations.ts'
import { requestsOperations } from '#contract/requests/requests.operations.ts'
import { searchOperations } from '#contract/search/search.operations.ts'
import { serviceOperations } from '#contract/service/service.operations.ts'
import { settingsOperations } from '#contract/settings/settings.operations.ts'
import { setupOperations } from '#contract/setup/setup.operations.ts'
import { signInProvidersOperations } from '#contract/sign-in-providers/sign-in-providers.operations.ts'
import { tasksOperations } from '#contract/tasks/tasks.operations.ts'
import { tokensOperations } from '#contract/tokens/tokens.operations.ts'
import { upkeepOperations } from '#contract/upkeep/upkeep.operations.ts'
import { webLicensesOperations } from '#contract/web-licenses/web-licenses.operations.ts'
import { webhooksOperations } from '#contract/webhooks/webhooks.operations.ts'

const operations = [
  ...accessReviewOperations,
  ...accountsOperations,
  ...activationsOperations,
  ...auditOperations,
  ...dataOperations,
  ...elasticOperations,
  ...entitlementsOperations,
  ...fsaOperations,
  ...homeOperations,
  ...licenseUseOperations,
  ...messagesOperations,
  ...optimizationOperations,
  ...optionsFilesOperations,
  ...outboxOperations,
  ...plannerOperations,
  ...provisioningOperations,
  ...remindersOperations,
  ...requestsOperations,
  ...searchOperations,
  ...serviceOperations,
  ...settingsOperations,
  ...setupOperations,
  ...signInProvidersOperations,
  ...tasksOperations,
  ...tokensOperations,
  ...upkeepOperations,
  ...webLicensesOperations,
  ...webhooksOperations,
]

type Declared = (typeof operations)[number]
export type OperationName = Declared['name']
export type OperationsByName = { readonly [O in Declared as O['name']]: O }

/**
 * Every operation of the API. The server starts only with exactly these routes, and the access matrix walks all of
 * them.
 */
export const OPERATIONS: readonly Operation[] = operations
