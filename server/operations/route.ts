import type { Readable } from 'node:stream'
import { create as contentDisposition } from 'content-disposition'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions, RouteShorthandOptions } from 'fastify'
import type { Kysely, Transaction } from 'kysely'
import { FailureSchema } from '#contract/kit/answer.ts'
import {
  BODY_LIMIT,
  type BodyOf,
  type DataOf,
  type ExtraFieldsOf,
  type Operation,
  type ParamsOf,
  type QueryOf,
  takesTurns,
} from '#contract/kit/operation.ts'
import { untrusted } from '#contract/kit/schema.ts'
import type { OperationName } from '#contract/operations.ts'
import { SCIM_MEDIA } from '#contract/provisioning/scim.ts'
import type { Actor, Standing } from '#domain/access/standing.ts'
import { type AuditEntry, writeAudit, writeRefusals } from '#server/audit/audit.queries.ts'
import type { Config } from '#server/config.ts'
import { isTransactionConflict } from '#server/db/database-errors.ts'
import { withPartitions } from '#server/db/missing-partition-error.ts'
import type { DB } from '#server/db/schema.ts'
import { ReadyJson, success, WireAnswer } from '#server/http/envelope.ts'
import { CallerGoneError, HttpError } from '#server/http/http-error.ts'
import { answerOf } from '#server/http/schema-compilers.ts'
import { leaveBodyUnread, refuseCompressedBody } from '#server/http/unread-body.ts'
import { acceptUploads, readUpload } from '#server/http/uploads.ts'
import { principalName, securityOf } from '#server/identity/principal.ts'
import type { ServiceKey } from '#server/identity/service-keys.ts'
import { auditContext, guard, isBodyNeeded } from '#server/operations/guard.ts'
import { idempotencyKeyOf, once } from '#server/operations/idempotency.ts'
import { keepWrittenPosition, writtenPositionOf } from '#server/operations/own-writes.ts'
import type { ReadingCall } from '#server/operations/reads.ts'
import type { Services } from '#server/services.ts'
import type { InTurn } from '#server/turns/call-turns.ts'

/** What a use case is given: an actor who is allowed, an account that exists, and a database that is one transaction. */
export type Call<O extends Operation> = {
  readonly actor: O['access'] extends { kind: 'public' | 'service' } ? null : Actor
  /** The caller's key, if the operation needs a service key. */
  readonly serviceKey: O['access'] extends { kind: 'service' } ? ServiceKey : undefined
  readonly standing: O['access'] extends { kind: 'account' }
    ? Standing | (O['access'] extends { optional: true } ? undefined : never)
    : undefined
  /** The accounts that the call names, by number. */
  readonly standings: O['access'] extends { kind: 'accounts' } ? ReadonlyMap<string, Standing> : undefined
  /** The zone of the account that the call names: its days are whole days there. */
  readonly timeZone: O['access'] extends { kind: 'account' }
    ? string | (O['access'] extends { optional: true } ? undefined : never)
    : undefined
  /** The request without the client's claims about identity and time: the server uses its own. */
  readonly body: Omit<BodyOf<O>, keyof typeof untrusted>
  readonly query: QueryOf<O>
  readonly params: ParamsOf<O>
  readonly db: O['writes'] extends true ? Transaction<DB> : Kysely<DB>
  readonly services: Services
  readonly now: Date
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  /** Waits for another turn to read more of a list after the answer has begun, as exports do. */
  readonly later: InTurn
  /**
   * Writes to the audit log under the operation's name, as part of the transaction of the change; a call that only reads
   * writes its entry by itself.
   */
  audit(entry: OperationAudit): Promise<void>
  /** Ends the call with the error. The audit log keeps the refusal although the call's transaction is rolled back. */
  refuse(error: HttpError, ...entries: OperationAudit[]): Promise<never>
}

/** The audit action is the name of the operation, whether it was done or refused. */
type OperationAudit = Omit<AuditEntry, 'action'>

/** A file that is sent piece by piece after the use case has returned. */
export class SentFile {
  readonly name: string
  readonly content: Readable
  /** In bytes, where it is known before the last piece. */
  readonly size: number | undefined
  readonly mediaType: string
  constructor(name: string, content: Readable, size?: number, mediaType = 'text/csv; charset=utf-8') {
    this.name = name
    this.content = content
    this.size = size
    this.mediaType = mediaType
  }
}

export type Result<O extends Operation> = { data: DataOf<O> } & ExtraFieldsOf<O>
export type Handler<O extends Operation> = (
  call: Call<O>,
) => Promise<Result<O> | ReadyJson | SentFile | WireAnswer | FastifyReply>
/** What a call has before there is a transaction. */
export type EarlyCall<O extends Operation> = Omit<Call<O>, 'db' | 'audit' | 'refuse'>
/** Waits, without a transaction, until the call may begin one. So a waiting call holds no connection. */
export type WaitForTurn<O extends Operation> = <R>(call: EarlyCall<O>, transact: () => Promise<R>) => Promise<R>
type Steps<O extends Operation> = { readonly waitForTurn?: WaitForTurn<O> }
export type Route = <O extends Operation>(operation: O, handler: Handler<O>, steps?: Steps<O>) => void

/**
 * The only way to put an operation on the server: guard → body → validation → (transaction) → use case → answer. The
 * guard uses the separate connections of `access`. The API document lists the operation under its module.
 */
export function createRoute(
  app: FastifyInstance,
  services: Services,
  access: Services,
  registered: Set<string>,
  module: string,
): Route {
  return (operation, handler, steps = {}) => {
    registered.add(operation.name)
    const { upload } = operation
    const definition: RouteOptions = {
      method: operation.method,
      url: operation.path,
      schema: { ...schemaOf(operation), tags: [module] },
      config: {
        isOperation: true,
        ...(operation.wire ? { wire: operation.wire } : {}),
        ...serviceLimit(operation, services.config),
        ...(operation.documentedBody ? { documentedBody: operation.documentedBody } : {}),
      },
      helmet: false,
      bodyLimit: operation.bodyLimit ?? BODY_LIMIT,
      // After the rate limit, which is an onRequest hook.
      preParsing: async (request, reply) => {
        try {
          await guard(access, operation, request, reply, { isBodyRead: false })
          refuseCompressedBody(request, reply)
          // Waits before the body is read, so that waiting batches use neither memory nor time.
          if (operation.writes && takesTurns(operation) && request.principal)
            await services.callTurns.hold({ caller: principalName(request.principal), answer: reply.raw })
        } catch (error) {
          leaveBodyUnread(request, reply)
          throw error
        }
      },
      preValidation: async (request, reply) => {
        if (upload) await readUpload(request, reply, upload)
        if (isBodyNeeded(operation.access)) await guard(access, operation, request, reply, { isBodyRead: true })
      },
      handler: async (request, reply) => {
        const answer = operation.writes
          ? await write(services, operation, { handler, ...steps }, request, reply)
          : await read(services, operation, handler, request, reply)
        if (answer instanceof ReadyJson)
          return reply.type('application/json; charset=utf-8').serializer(asItIs).send(answer.text)
        if (answer instanceof WireAnswer) return sendWire(reply, answer)
        return answer instanceof SentFile ? sendFile(reply, answer) : answer
      },
    }
    // Some providers write a slash at the end of an address.
    if (operation.wire)
      app.route({ ...definition, url: `${operation.path}/`, schema: { ...definition.schema, hide: true } as object })
    if (!upload) return void app.route(definition)
    app.register(async (scope) => {
      await acceptUploads(scope)
      scope.route(definition)
    })
  }
}

function sendFile(reply: FastifyReply, { name, content, size, mediaType }: SentFile): FastifyReply {
  if (size !== undefined) reply.header('content-length', size)
  return reply
    .type(mediaType)
    .header('content-disposition', contentDisposition(name))
    .header('cache-control', 'no-store')
    .send(content)
}

function sendWire(reply: FastifyReply, { status, body, headers }: WireAnswer): FastifyReply {
  reply.code(status).headers(headers)
  return body === undefined ? reply.send() : reply.type(SCIM_MEDIA).serializer(JSON.stringify).send(body)
}

const asItIs = (text: unknown) => text as string

async function write<O extends Operation>(
  services: Services,
  operation: O,
  { handler, waitForTurn = (_call, transact) => transact() }: Steps<O> & { handler: Handler<O> },
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const key = operation.isAnswerSecret || operation.wire ? undefined : idempotencyKeyOf(request)
  const early = callOf(services, operation, request, reply, services.db)
  let refusal: unknown
  const transact = () => {
    refusal = undefined
    return services.db.transaction().execute((tx) => {
      const act = () =>
        run(callOf(services, operation, request, reply, tx), handler).catch((error: unknown) => {
          refusal = error
          throw error
        })
      const { principal } = request
      if (key === undefined || principal === null) return act()
      return once(tx, { operation, email: principalName(principal), key, request, now: services.clock.now() }, act)
    })
  }
  const inTurn = () => withPartitions(services.db, () => waitForTurn(early, transact))
  const answer = await inTurn()
    .catch((error: unknown) => {
      if (!isTransactionConflict(error)) throw error
      request.log.info({ err: error }, 'transaction conflict: trying once more')
      return inTurn()
    })
    // After the transaction, so that no other call waits for its locks meanwhile.
    .finally(() => logRefusal(services, operation, request, refusal))
  // The caller's next call must see this change, and it may arrive before the database's notification does.
  services.callers.forgetAccounts(request.caller?.standings.keys() ?? [])
  await keepWrittenPosition(services, request, reply)
  return answer
}

/** What a use case refuses is logged like what the guard refuses. Calls that leave no entry have a log of their own denials. */
async function logRefusal(services: Services, operation: Operation, request: FastifyRequest, error: unknown) {
  if (!(error instanceof HttpError) || error.statusCode === 429 || error instanceof CallerGoneError) return
  if (error.isAudited || (operation.audit && 'none' in operation.audit)) return
  const { caller, principal } = request
  const accounts = caller?.standings.size ? [...caller.standings.keys()] : [undefined]
  const target = targetNamedIn(request)
  await writeRefusals(
    services.pools.access.db,
    auditContext(services, request, principal),
    accounts.map((customerNumber) => ({
      action: operation.name as OperationName,
      customerNumber,
      ...(target === undefined ? {} : { target }),
      reason: error.message,
    })),
  )
}

/** Fields of calls that name what is acted on, as entries of what was done name it. */
const TARGET_FIELDS = ['endpointId', 'id', 'groupId', 'hostId', 'clsId'] as const

/** What a refused call was to act on. Only ids: any other text is the caller's own. */
function targetNamedIn({ body, params }: FastifyRequest): string | undefined {
  const fields = { ...(params as object), ...(body as object) } as Record<string, unknown>
  const named = TARGET_FIELDS.map((name) => fields[name]).find((value) => value !== undefined)
  return typeof named === 'string' && /^[\w.:-]{1,100}$/.test(named) ? named : undefined
}

/**
 * Systems may call more often than people; each service operation has a separate limit, so that one cannot block
 * another.
 */
function serviceLimit({ access }: Operation, config: Config) {
  return access.kind === 'service' ? { rateLimit: { max: config.serviceRequestsPerMinute } } : {}
}

/** An operation with a filter is a list: its cost depends on the caller. */
const isList = ({ body }: Operation) => 'filter' in ((body as { properties?: object } | undefined)?.properties ?? {})

async function read<O extends Operation>(
  services: Services,
  operation: O,
  handler: Handler<O>,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const answer = await services.reads.answer(readingCall(services, operation, request, reply), ({ db, lists, later }) =>
    run(callOf({ ...services, lists }, operation, request, reply, db, later), handler),
  )
  if (operation.reportsWork) await keepWrittenPosition(services, request, reply)
  return answer
}

function readingCall(
  { config }: Services,
  operation: Operation,
  request: FastifyRequest,
  reply: FastifyReply,
): ReadingCall {
  const { principal } = request
  const turn = takesTurns(operation) &&
    principal && {
      caller: principalName(principal),
      answer: reply.raw,
      // Only lists are still read while they are sent.
      isDownload: isList(operation) && operation.media !== undefined,
      filterKilobytes: isList(operation) ? request.bodyLength / 1024 : 0,
    }
  return {
    turn: turn || undefined,
    // A program that writes and reads has no cookie.
    replica: principal?.kind === 'session' ? { written: writtenPositionOf(request, config) } : undefined,
    namesAccount: operation.access.kind !== 'signed-in' && operation.access.kind !== 'portal',
    isSent: () => reply.sent,
  }
}

async function run<O extends Operation>(call: Call<O>, handler: Handler<O>) {
  const result = await handler(call)
  // A handler that sends the reply itself returns undefined, because awaiting a reply gives that.
  if (!result || !('data' in result)) return result
  return success(result)
}

function callOf<O extends Operation>(
  services: Services,
  operation: O,
  request: FastifyRequest,
  reply: FastifyReply,
  db: Kysely<DB> | Transaction<DB>,
  later: InTurn = (piece) => piece(),
): Call<O> {
  const { caller, principal } = request
  // The guard let the request through, so what the operation's access promises is there; this says so to the types.
  if (operation.access.kind !== 'public' && !principal) throw new Error(`${operation.name} ran without a principal`)
  if (operation.access.kind === 'account' && !operation.access.optional && !caller?.standing)
    throw new Error(`${operation.name} ran without an account`)
  if (operation.access.kind === 'accounts' && !caller?.standings.size)
    throw new Error(`${operation.name} ran without accounts: its list must not be empty`)
  const context = () => auditContext(services, request, principal)
  const about = { action: operation.name as OperationName, customerNumber: caller?.standing?.customerNumber }
  return {
    actor: caller?.actor ?? null,
    serviceKey: principal?.kind === 'service key' ? principal : undefined,
    standing: caller?.standing,
    standings: caller?.standings,
    timeZone: caller?.timeZone,
    body: withoutUntrusted(request.body),
    query: request.query,
    params: request.params,
    db,
    services,
    now: services.clock.now(),
    request,
    reply,
    later,
    // What a call reads may come from a replica, where nothing can be written.
    audit: (entry: OperationAudit) =>
      writeAudit(operation.writes ? db : services.db, context(), { ...about, ...entry }),
    refuse: async (error: HttpError, ...entries: OperationAudit[]) => {
      const refused = (entries.length ? entries : [{}]).map((entry) => ({ ...about, ...entry, reason: error.message }))
      // Not the pool of this call's own transaction: many refusals would wait for each other's connections.
      await writeRefusals(services.pools.access.db, context(), refused)
      error.isAudited = true
      throw error
    },
  } as unknown as Call<O>
}

function withoutUntrusted(body: unknown): unknown {
  if (body === null || typeof body !== 'object') return body
  return Object.fromEntries(Object.entries(body).filter(([field]) => !Object.hasOwn(untrusted, field)))
}

/** A file that a business rule refuses is answered with HTTP 200 as well, in JSON. */
const fileOrRefusal = (media: string) => ({
  description: 'The file, or a refusal by a business rule',
  content: { [media]: { schema: { type: 'string' } }, 'application/json': { schema: FailureSchema } },
})

function schemaOf(operation: Operation): RouteShorthandOptions['schema'] {
  const { body, query, params, media, upload } = operation
  return {
    operationId: operation.name,
    summary: operation.summary,
    security: securityOf(operation),
    ...(upload ? { consumes: ['multipart/form-data'] } : {}),
    ...(body ? { body } : {}),
    ...(query ? { querystring: query } : {}),
    ...(params ? { params } : {}),
    response: {
      200: media ? fileOrRefusal(media) : answerOf(operation),
      '4xx': FailureSchema,
      '5xx': FailureSchema,
    },
  }
}
