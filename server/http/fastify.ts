import { randomUUID } from 'node:crypto'
import Fastify, { type FastifyInstance } from 'fastify'
import { BODY_LIMIT } from '#contract/kit/operation.ts'
import type { Config } from '#server/config.ts'
import type { outageLog } from '#server/db/outage.ts'
import { toOriginForm } from '#server/http/host-check.ts'
import { malformedRequests } from '#server/http/malformed-requests.ts'
import { type CallerOf, errorWithoutValues, OneLinePerRequest } from '#server/http/request-log.ts'
import { schemaController } from '#server/http/schema-compilers.ts'

type Options = {
  readonly config: Config
  readonly logStream?: { write(line: string): void }
  readonly callerOf: CallerOf
  /** Says once that the database is away, instead of once for each request. */
  readonly outage: ReturnType<typeof outageLog>
}

/**
 * Milliseconds. `requestTimeout`: a request must have arrived by then, no matter how slowly its answer is read.
 * `connectionTimeout`: an idle connection is closed; longer than the heartbeat of an event stream.
 */
const TIMEOUTS = { requestTimeout: 60_000, connectionTimeout: 120_000 }

/** Fastify with the limits, ids and log lines of the portal, and nothing on it yet. */
export function openFastify({ config, logStream, callerOf, outage }: Options): FastifyInstance {
  const newRequestId = () => randomUUID().replaceAll('-', '')
  return Fastify({
    logger: {
      level: config.logLevel,
      hooks: {
        logMethod(parts, write) {
          const { err } = Object(parts[0]) as { err?: unknown }
          if (!outage.hides(err, () => write.apply(this, parts))) write.apply(this, parts)
        },
      },
      ...(config.logPersonalData ? {} : { serializers: { err: errorWithoutValues } }),
      ...(logStream ? { stream: logStream } : {}),
    },
    logController: new OneLinePerRequest({ callerOf, personalData: config.logPersonalData }),
    genReqId: newRequestId,
    bodyLimit: BODY_LIMIT,
    trustProxy: config.trustProxy ?? false,
    rewriteUrl: toOriginForm,
    forceCloseConnections: 'idle',
    // While the portal closes, requests over open connections are still answered.
    return503OnClosing: false,
    ...TIMEOUTS,
    // The start makes the months of usage that are missing: on shards, thousands of indexes.
    pluginTimeout: 120_000,
    routerOptions: { maxParamLength: 500 },
    schemaController,
    http: {
      requireHostHeader: false,
      headersTimeout: 20_000,
      connectionsCheckingInterval: 5_000,
      // An idle connection is closed well after the time that the client was told, so that a busy portal resets none
      // on which the next request is on its way.
      keepAliveTimeoutBuffer: 15_000,
    },
    ...malformedRequests(config, newRequestId),
  })
}
