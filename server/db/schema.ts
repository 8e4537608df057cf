import type { AuditRows } from '#server/audit/audit.tables.ts'
import type { DataRows } from '#server/data/data.tables.ts'
import type { InstallationRows } from '#server/db/installation.tables.ts'
import type { IdentityRows } from '#server/identity/identity.tables.ts'
import type { AccountsRows } from '#server/modules/accounts/accounts.tables.ts'
import type { ActivationsRows } from '#server/modules/activations/activations.tables.ts'
import type { CatalogRows } from '#server/modules/catalog/catalog.tables.ts'
import type { ElasticRows } from '#server/modules/elastic/elastic.tables.ts'
import type { EntitlementsRows } from '#server/modules/entitlements/entitlements.tables.ts'
import type { FsaRows } from '#server/modules/fsa/fsa.tables.ts'
import type { HomeRows } from '#server/modules/home/home.tables.ts'
import type { LicenseUseRows } from '#server/modules/license-use/license-use.tables.ts'
import type { MessagesRows } from '#server/modules/messages/messages.tables.ts'
import type { PlannerRows } from '#server/modules/planner/planner.tables.ts'
import type { RemindersRows } from '#server/modules/reminders/reminders.tables.ts'
import type { RequestsRows } from '#server/modules/requests/requests.tables.ts'
import type { SettingsRows } from '#server/modules/settings/settings.tables.ts'
import type { StaffRows } from '#server/modules/staff/staff.tables.ts'
import type { UpkeepRows } from '#server/modules/upkeep/upkeep.tables.ts'
import type { WebLicensesRows } from '#server/modules/web-licenses/web-licenses.tables.ts'
import type { WebhooksRows } from '#server/modules/webhooks/webhooks.tables.ts'
import type { OperationsRows } from '#server/operations/operations.tables.ts'
import type { OutboxRows } from '#server/outbox/outbox.tables.ts'
import type { RecoveryRows } from '#server/recovery/recovery.tables.ts'
import type { TasksRows } from '#server/tasks/tasks.tables.ts'

/** All tables. The rows of each are in the `tables.ts` of its owner. */
export type DB = AuditRows &
  DataRows &
  InstallationRows &
  IdentityRows &
  AccountsRows &
  ActivationsRows &
  CatalogRows &
  ElasticRows &
  EntitlementsRows &
  FsaRows &
  HomeRows &
  LicenseUseRows &
  MessagesRows &
  PlannerRows &
  RemindersRows &
  RequestsRows &
  SettingsRows &
  StaffRows &
  UpkeepRows &
  WebLicensesRows &
  WebhooksRows &
  OperationsRows &
  OutboxRows &
  RecoveryRows &
  TasksRows
