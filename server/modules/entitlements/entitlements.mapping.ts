import type { fulfillmentHosts } from '#contract/entitlements/fulfillments.ts'
import type { DataOf } from '#contract/kit/operation.ts'
import { wireHostIdType } from '#domain/entitlements/fulfillment.ts'
import type { SeatsOnHost } from '#server/modules/entitlements/fulfillments.queries.ts'

export function toSeatsOnHost(row: SeatsOnHost): DataOf<typeof fulfillmentHosts>[number] {
  return {
    serverName: row.host_name,
    serverId: row.host_id,
    serverIdType: wireHostIdType(row.host_id, row.host_id_type),
    count: row.seats,
  }
}
