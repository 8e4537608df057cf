import type { FailureCode } from '#contract/kit/failure-code.ts'
import {
  BACKGROUND_HEADER,
  type BodyOf,
  type DataOf,
  type ExtraFieldsOf,
  type Operation,
  type ParamsOf,
  type QueryOf,
} from '#contract/kit/operation.ts'
import {
  ApiFailure,
  BatchFailure,
  ConflictFailure,
  type RefusedLine,
  textForStatus,
  UNREACHABLE,
  type Versions,
} from '#web/lib/api-failure.ts'
import { isUnattended } from '#web/lib/last-input.ts'
import { runtimeConfig } from '#web/lib/runtime-config.ts'
import { sessionEnded } from '#web/lib/session.ts'

type Part<Name extends string, Value> = [Value] extends [undefined] ? { [N in Name]?: never } : { [N in Name]: Value }

type Input<O extends Operation> = Part<'body', BodyOf<O>> &
  Part<'params', ParamsOf<O>> &
  Part<'query', QueryOf<O>> & {
    signal?: AbortSignal
    /** The same key with the same body does nothing twice. */
    idempotencyKey?: string
    /** Goes out even though the page is being left. Small bodies only. */
    keepalive?: boolean
  }

/** An operation that needs nothing can be called with nothing. */
type Arguments<O extends Operation> = Record<never, never> extends Input<O> ? [input?: Input<O>] : [input: Input<O>]

export type AnswerOf<O extends Operation> = { data: DataOf<O> } & ExtraFieldsOf<O>

/** Calls an operation of the contract: its data, or an `ApiFailure`. */
export async function call<O extends Operation>(operation: O, ...input: Arguments<O>): Promise<DataOf<O>> {
  return (await ask(operation, ...input)).data
}

/** The whole answer, with what stands beside its data: a list's continuation token, for one. */
export async function ask<O extends Operation>(operation: O, ...[input]: Arguments<O>): Promise<AnswerOf<O>> {
  const response = await send(operation, input ?? {})
  const answer = await bodyOf(response)
  if (response.ok && answer?.status === 'SUCCESS') return answer as unknown as AnswerOf<O>
  throw failureOf(response, answer)
}

/** The answer of an operation whose success is a file; its refusals are JSON like everyone's. */
export async function fetchFile<O extends Operation>(operation: O, input: Input<O>): Promise<Blob> {
  const response = await send(operation, input)
  if (response.ok && !response.headers.get('content-type')?.includes('json')) return response.blob()
  throw failureOf(response, await bodyOf(response))
}

/** Where the browser itself can fetch a file from, by a link instead of a script. */
export function fileAddress<O extends Operation>(operation: O, input: Pick<Input<O>, 'params' | 'query'>): string {
  return addressOf(operation, input)
}

type Request = {
  body?: unknown
  params?: unknown
  query?: unknown
  signal?: AbortSignal
  idempotencyKey?: string
  keepalive?: boolean
}

async function send(operation: Operation, input: Request): Promise<Response> {
  const response = await fetch(addressOf(operation, input), {
    method: operation.method,
    headers: headersOf(operation, input),
    ...(input.body === undefined ? {} : { body: sentBody(operation, input.body) }),
    ...(input.signal ? { signal: input.signal } : {}),
    ...(input.keepalive ? { keepalive: true } : {}),
  }).catch((error: unknown) => {
    if (input.signal?.aborted) throw error
    throw new ApiFailure(0, UNREACHABLE)
  })
  if (response.status === 401) sessionEnded()
  return response
}

function addressOf(operation: Operation, input: Pick<Request, 'params' | 'query'>): string {
  const params = (input.params ?? {}) as Record<string, unknown>
  const path = operation.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])))
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries((input.query ?? {}) as Record<string, unknown>))
    if (value !== undefined) query.append(name, String(value))
  // The contract's paths carry their own /api; the configured address says on which host and below which path it is.
  const place = runtimeConfig().apiUrl.replace(/\/api\/?$/, '')
  return `${place}${path}${query.size > 0 ? `?${query}` : ''}`
}

/** An upload is a multipart form. The file comes last, because the server reads the fields before it. */
function sentBody(operation: Operation, body: unknown): string | FormData {
  if (!operation.upload) return JSON.stringify(body)
  const form = new FormData()
  const { file, ...fields } = body as { file: Uint8Array<ArrayBuffer> }
  for (const [name, value] of Object.entries(fields)) form.append(name, String(value))
  form.append('file', new Blob([file]), 'file')
  return form
}

function headersOf(operation: Operation, input: Request): Record<string, string> {
  return {
    // A page of another site cannot send this without asking the server first.
    'X-Requested-With': 'portal',
    // Of a form the browser itself says where its parts begin and end.
    ...(input.body === undefined || operation.upload ? {} : { 'Content-Type': 'application/json' }),
    ...(input.idempotencyKey ? { 'Idempotency-Key': input.idempotencyKey } : {}),
    ...(isUnattended() ? { [BACKGROUND_HEADER]: '1' } : {}),
  }
}

type Answer = { status?: string; code?: FailureCode; err?: string; data?: unknown }

async function bodyOf(response: Response): Promise<Answer | undefined> {
  return response.json().catch(() => undefined)
}

function failureOf(response: Response, answer: Answer | undefined): ApiFailure {
  const text = answer?.err ?? textForStatus(response.status)
  if (answer?.code === 'STALE' && answer.data) return new ConflictFailure(text, answer.data as Versions)
  if (response.ok && Array.isArray(answer?.data))
    return new BatchFailure(text, answer.code, answer.data as RefusedLine[])
  return new ApiFailure(response.status, text, answer?.code)
}
