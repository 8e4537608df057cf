import type { Kysely } from 'kysely'
import type { HostIdentity } from '#domain/activations/hosts/host.ts'
import { chooseAddedHost, hasSameName } from '#domain/activations/hosts/host-duplicates.ts'
import { hostState } from '#domain/activations/hosts/host-list.ts'
import type { DB } from '#server/db/schema.ts'
import { BusinessRefusal } from '#server/http/http-error.ts'
import { type HostRow, loadHostUse } from '#server/modules/activations/hosts/hosts.queries.ts'
import { toHostIdentity } from '#server/modules/activations/license-files/license-file.mapping.ts'

/** A known machine under another name is a mistake, unless the account has stopped using it. */
export async function refuseOtherName(db: Kysely<DB>, host: HostRow, named: HostIdentity): Promise<void> {
  const known = toHostIdentity(host)
  if (hasSameName(known, named)) return
  const state = hostState(await loadHostUse(db, host))
  const choice = chooseAddedHost({ ...known, serverName: named.serverName }, [{ ...known, state }])
  if (choice.kind === 'refused') throw new BusinessRefusal('HOST_IN_USE', choice.message)
}
