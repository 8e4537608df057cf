import type { FastifyInstance, FastifyRequest } from 'fastify'
import * as scim from '#contract/provisioning/scim.ts'
import {
  listResource,
  resourceTypes,
  schemaResources,
  serviceProviderConfig,
} from '#domain/provisioning/scim-resources.ts'
import type { JsonObject } from '#domain/provisioning/scim-values.ts'
import { WireAnswer } from '#server/http/envelope.ts'
import { HttpError } from '#server/http/http-error.ts'
import { notifyOfLastAdministrator } from '#server/modules/provisioning/access/last-administrator.ts'
import {
  createGroup,
  readOneGroup,
  removeGroup,
  replaceGroup,
  searchGroups,
  updateOneGroup,
} from '#server/modules/provisioning/scim/groups.ts'
import { logCalls } from '#server/modules/provisioning/scim/log-calls.ts'
import type { ScimReading, ScimRequest, ScimWriting } from '#server/modules/provisioning/scim/scim-act.ts'
import {
  createUser,
  readOneUser,
  removeUser,
  replaceUser,
  searchUsers,
  updateOneUser,
} from '#server/modules/provisioning/scim/users.ts'
import { baseAddress } from '#server/modules/provisioning/screen/base-address.ts'
import { auditContext } from '#server/operations/guard.ts'
import type { Call, Route } from '#server/operations/route.ts'
import type { Services } from '#server/services.ts'

type ReadingCall = Pick<
  Call<typeof scim.getScimUser | typeof scim.listScimUsers>,
  'db' | 'request' | 'services' | 'standing'
>
type WritingCall = Pick<
  Call<typeof scim.patchScimUser | typeof scim.createScimUser>,
  'audit' | 'db' | 'now' | 'request' | 'services' | 'standing'
>

export function scimRoutes(route: Route, app: FastifyInstance, services: Services): void {
  logCalls(app, services)
  route(scim.getServiceProviderConfig, async (call) => new WireAnswer(200, serviceProviderConfig(baseOf(call))))
  route(scim.listResourceTypes, async (call) => listed(resourceTypes(baseOf(call))))
  route(scim.getResourceType, async (call) => one(resourceTypes(baseOf(call)), call.params.id))
  route(scim.listSchemas, async (call) => listed(schemaResources(baseOf(call))))
  route(scim.getSchema, async (call) => one(schemaResources(baseOf(call)), call.params.id))

  route(scim.listScimUsers, (call) => searchUsers(reading(call), requestOf(call.request)))
  route(scim.getScimUser, (call) => readOneUser(reading(call), requestOf(call.request)))
  route(scim.createScimUser, (call) => write(call, createUser))
  route(scim.replaceScimUser, (call) => write(call, replaceUser))
  route(scim.patchScimUser, (call) => write(call, updateOneUser))
  route(scim.deleteScimUser, (call) => write(call, removeUser))

  route(scim.listScimGroups, (call) => searchGroups(reading(call), requestOf(call.request)))
  route(scim.getScimGroup, (call) => readOneGroup(reading(call), requestOf(call.request)))
  route(scim.createScimGroup, (call) => write(call, createGroup))
  route(scim.replaceScimGroup, (call) => write(call, replaceGroup))
  route(scim.patchScimGroup, (call) => write(call, updateOneGroup))
  route(scim.deleteScimGroup, (call) => write(call, removeGroup))

  // What is not supported (/Bulk, /Me, /.search) is refused in the form of SCIM as well.
  app.all('/scim/*', { schema: { hide: true }, config: { wire: 'scim' } }, (request) => {
    throw new HttpError(404, `Not found: ${request.method} ${request.url.split('?')[0]}`)
  })
}

const baseOf = ({ services, standing }: Pick<ReadingCall, 'services' | 'standing'>) =>
  baseAddress(services.config, standing.customerNumber)

const listed = (resources: readonly JsonObject[]) => new WireAnswer(200, listResource(resources, resources.length, 1))

function one(resources: readonly (JsonObject & { readonly id: string })[], id: string): WireAnswer {
  const found = resources.find((resource) => resource.id === id)
  if (!found) throw new HttpError(404, 'There is no such resource.')
  return new WireAnswer(200, found)
}

function requestOf({ params, query, body, headers }: FastifyRequest): ScimRequest {
  const { id } = params as { readonly id?: string }
  return {
    ...(id === undefined ? {} : { id }),
    query: query as Record<string, unknown>,
    body,
    ifMatch: headers['if-match'],
    ifNoneMatch: headers['if-none-match'],
  }
}

const reading = (call: ReadingCall): ScimReading => ({
  db: call.db,
  customerNumber: call.standing.customerNumber,
  base: baseOf(call),
})

async function write(
  call: WritingCall,
  perform: (act: ScimWriting, request: ScimRequest) => Promise<WireAnswer>,
): Promise<WireAnswer> {
  const { db, services, now, request } = call
  const by = auditContext(services, request, request.principal)
  const act = { ...reading(call), db, services, now, by, audit: call.audit }
  return perform(act, requestOf(request)).catch(async (error: unknown) => {
    await notifyOfLastAdministrator(services, act.customerNumber, error, by)
    throw error
  })
}
