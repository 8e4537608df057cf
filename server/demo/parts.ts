import { accounts } from '#server/demo/accounts.demo.ts'
import { alerts } from '#server/demo/alerts.demo.ts'
import { catalog } from '#server/demo/catalog.demo.ts'
import { contacts } from '#server/demo/contacts.demo.ts'
import type { DemoPart } from '#server/demo/demo-part.ts'
import { elasticServers } from '#server/demo/elastic-servers.demo.ts'
import { emails } from '#server/demo/emails.demo.ts'
import { entitlements } from '#server/demo/entitlements.demo.ts'
import { fulfillments } from '#server/demo/fulfillments.demo.ts'
import { licenseFiles } from '#server/demo/license-files.demo.ts'
import { people } from '#server/demo/people.demo.ts'
import { usage } from '#server/demo/usage.demo.ts'

/** All demo data in the order in which it is loaded: a part may rely on those before it. */
export const DEMO_PARTS: readonly DemoPart[] = [
  people,
  accounts,
  contacts,
  catalog,
  entitlements,
  fulfillments,
  licenseFiles,
  alerts,
  emails,
  elasticServers,
  usage,
]
