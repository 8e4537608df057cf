import type { Operation } from '#contract/kit/operation.ts'
import { OPERATIONS } from '#contract/operations.ts'
import { dataSamples } from '#server/data/data.samples.ts'
import { accessReviewSamples } from '#server/modules/access-review/access-review.samples.ts'
import { accountsSamples } from '#server/modules/accounts/accounts.samples.ts'
import { activationsSamples } from '#server/modules/activations/activations.samples.ts'
import { auditSamples } from '#server/modules/audit/audit.samples.ts'
import { elasticSamples } from '#server/modules/elastic/elastic.samples.ts'
import { entitlementsSamples } from '#server/modules/entitlements/entitlements.samples.ts'
import { fsaSamples } from '#server/modules/fsa/fsa.samples.ts'
import { homeSamples } from '#server/modules/home/home.samples.ts'
import { licenseUseSamples } from '#server/modules/license-use/license-use.samples.ts'
import { messagesSamples } from '#server/modules/messages/messages.samples.ts'
import { optimizationSamples } from '#server/modules/optimization/optimization.samples.ts'
import { optionsFilesSamples } from '#server/modules/options-files/options-files.samples.ts'
import { plannerSamples } from '#server/modules/planner/planner.samples.ts'
import { provisioningSamples } from '#server/modules/provisioning/provisioning.samples.ts'
import { remindersSamples } from '#server/modules/reminders/reminders.samples.ts'
import { requestsSamples } from '#server/modules/requests/requests.samples.ts'
import { searchSamples } from '#server/modules/search/search.samples.ts'
import { serviceSamples } from '#server/modules/service/service.samples.ts'
import { settingsSamples } from '#server/modules/settings/settings.samples.ts'
import { setupSamples } from '#server/modules/setup/setup.samples.ts'
import { signInProvidersSamples } from '#server/modules/sign-in-providers/sign-in-providers.samples.ts'
import { tokensSamples } from '#server/modules/tokens/tokens.samples.ts'
import { upkeepSamples } from '#server/modules/upkeep/upkeep.samples.ts'
import { webLicensesSamples } from '#server/modules/web-licenses/web-licenses.samples.ts'
import { webhooksSamples } from '#server/modules/webhooks/webhooks.samples.ts'
import { outboxSamples } from '#server/outbox/outbox.samples.ts'
import { tasksSamples } from '#server/tasks/tasks.samples.ts'
import type { Row, Samples } from '#server/testing/samples/sample.ts'

/** All samples, in the order of the walk: each module finds what those before it have made. */
export const SAMPLES: readonly Samples[] = [
  dataSamples,
  elasticSamples,
  optimizationSamples,
  activationsSamples,
  fsaSamples,
  webLicensesSamples,
  messagesSamples,
  outboxSamples,
  remindersSamples,
  tokensSamples,
  signInProvidersSamples,
  requestsSamples,
  webhooksSamples,
  accessReviewSamples,
  plannerSamples,
  settingsSamples,
  licenseUseSamples,
  optionsFilesSamples,
  provisioningSamples,
  // These have no place in the walk.
  accountsSamples,
  auditSamples,
  entitlementsSamples,
  homeSamples,
  searchSamples,
  serviceSamples,
  setupSamples,
  tasksSamples,
  upkeepSamples,
]

export const ROWS: Readonly<Record<string, Row>> = Object.assign({}, ...SAMPLES.map(({ rows }) => rows))

/** Somebody who may call an operation on 100001: business operations, or an administrator where staff roles are not enough. */
export const callerOf = ({ access }: Operation): string =>
  access.kind === 'account' && ['tokens.create', 'license-use.wait'].includes(access.action)
    ? 'ada.admin@aerodyne.example'
    : 'olivia.ops@vendor.example'

/**
 * The operations with their rows. One without a row is left out: a separate test reports it, and no other test fails.
 */
export const OPERATIONS_IN_ROWS: readonly { name: string; operation: Operation; row: Row }[] = OPERATIONS.flatMap(
  (operation) => {
    const row = ROWS[operation.name]
    return row ? [{ name: operation.name, operation, row }] : []
  },
)
