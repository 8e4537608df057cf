import { createRequire } from 'node:module'
import FastifyOtel from '@fastify/otel'
import { context, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { PgInstrumentation } from '@opentelemetry/instrumentation-pg'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  BatchSpanProcessor,
  type IdGenerator,
  ParentBasedSampler,
  RandomIdGenerator,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import type { FastifyInstance } from 'fastify'
import type { Config } from '#server/config.ts'
import { isProbe, withoutSecrets } from '#server/http/request-log.ts'

export type Tracing = {
  /** To be called before anything else adds a hook. */
  traceRequests(app: FastifyInstance): Promise<void>
  /** Sends what has not been sent yet. */
  stop(): Promise<void>
}

/**
 * Traces of requests and of their statements, sent to an OpenTelemetry collector. Only loaded where the settings name one.
 * A trace has the id of its request, which people see as the reference id. A `traceparent` of the sender is not used:
 * otherwise senders could choose reference ids.
 */
export function startTracing({ endpoint, headers, sampled, serviceName }: NonNullable<Config['tracing']>): Tracing {
  const ids = new RequestIds()
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/$/, '')}/v1/traces`, headers })
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': serviceName }),
    idGenerator: ids,
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(sampled) }),
    spanProcessors: [new BatchSpanProcessor({ exporter })],
  })
  trace.setGlobalTracerProvider(provider)
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  const statements = new PgInstrumentation({ requireParentSpan: true, ignoreConnectSpans: true })
  statements.setTracerProvider(provider)
  // The instrumentation sees only what is loaded with `require`. It changes the class of connections, which all code shares.
  createRequire(import.meta.url)('pg')
  const requests = new FastifyOtel.FastifyOtelInstrumentation({
    // Guards run in these hooks and read the database.
    instrumentHooks: ['preParsing', 'preValidation'],
    ignorePaths: ({ url }) => isProbe(url),
    requestHook: (span, { url }) => void span.setAttribute('url.path', withoutSecrets(url).split('?')[0] ?? ''),
  })
  requests.setTracerProvider(provider)
  return {
    async traceRequests(app) {
      // Runs directly before the hook of the plugin, which begins the span.
      app.addHook('onRequest', (request, _reply, done) => {
        ids.next = request.id
        done()
      })
      await app.register(requests.plugin())
    },
    stop: () => provider.shutdown(),
  }
}

/** Gives the next trace the id of its request. */
class RequestIds implements IdGenerator {
  readonly #random = new RandomIdGenerator()
  next: string | undefined
  generateTraceId = () => {
    const id = this.next ?? this.#random.generateTraceId()
    this.next = undefined
    return id
  }
  generateSpanId = () => this.#random.generateSpanId()
}
