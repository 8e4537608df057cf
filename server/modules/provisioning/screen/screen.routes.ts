import {
  getScimCall as getCall,
  getProvisioning,
  previewGroupMapping as preview,
  replayScimCall as replay,
  saveGroupMapping as save,
  scimCallList,
  scimGroupList,
  scimPersonList,
} from '#contract/provisioning/provisioning.ts'
import { baseAddress } from '#server/modules/provisioning/screen/base-address.ts'
import { previewGroupMapping, saveGroupMapping } from '#server/modules/provisioning/screen/map-group.ts'
import {
  scimCallSource,
  scimGroupSource,
  scimPersonSource,
} from '#server/modules/provisioning/screen/provisioning.list.ts'
import { loadProvisioningState } from '#server/modules/provisioning/screen/provisioning-screen.queries.ts'
import { getScimCall, replayScimCall } from '#server/modules/provisioning/screen/scim-calls.ts'
import type { Route } from '#server/operations/route.ts'
import { routeList } from '#server/operations/route-list.ts'

type Standing = { readonly standing: { readonly customerNumber: string } }
const scope = ({ standing: { customerNumber } }: Standing) => ({ customerNumber })

export function screenRoutes(route: Route): void {
  route(getProvisioning, async ({ db, services, standing: { customerNumber } }) => {
    const { lastCallAt, lastChangeAt, ...counts } = await loadProvisioningState(db, customerNumber)
    return {
      data: {
        baseAddress: baseAddress(services.config, customerNumber),
        lastCallAt: lastCallAt?.toISOString() ?? null,
        lastChangeAt: lastChangeAt?.toISOString() ?? null,
        ...counts,
      },
    }
  })
  routeList(route, scimPersonList, { source: scimPersonSource, scope })
  routeList(route, scimGroupList, { source: scimGroupSource, scope })
  routeList(route, scimCallList, { source: scimCallSource, scope })
  route(preview, previewGroupMapping)
  route(save, saveGroupMapping)
  route(getCall, getScimCall)
  route(replay, replayScimCall)
}
