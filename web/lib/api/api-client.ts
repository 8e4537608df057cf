import { addressOf } from '#contract/kit/addresses.ts'
import type { FailureCode } from '#contract/kit/failure-code.ts'
import {
  BACKGROUND_HEADER,
  type BodyOf,
  type DataOf,
  type ExtraFieldsOf,
  type ParamsOf,
  type QueryOf,
} from '#contract/kit/operation.ts'
import type { OperationName, OperationsByName } from '#contract/operations.ts'
import {
  ApiError,
  BatchError,
  ConflictError,
  type RefusedLine,
  textForStatus,
  UNREACHABLE,
  type Versions,
} from '#web/lib/api/api-error.ts'
import { runtimeConfig } from '#web/lib/runtime-config.ts'
import { noteServerTime } from '#web/lib/server-time.ts'
import { isUnattended } from '#web/lib/sign-in/last-input.ts'
import { signInEnded } from '#web/lib/sign-in/sign-in.ts'
import { noteExtended } from '#web/lib/sign-in/sign-in-activity.ts'

type Part<Name extends string, Value> = [Value] extends [undefined] ? { [N in Name]?: never } : { [N in Name]: Value }

export type Body<N extends OperationName> = BodyOf<OperationsByName[N]>
export type Data<N extends OperationName> = DataOf<OperationsByName[N]>
export type Answer<N extends OperationName> = { data: Data<N> } & ExtraFieldsOf<OperationsByName[N]>

type Input<N extends OperationName> = Part<'body', Body<N>> &
  Part<'params', ParamsOf<OperationsByName[N]>> &
  Part<'query', QueryOf<OperationsByName[N]>> & {
    signal?: AbortSignal
    /** The server runs a call with the same key and body only once. */
    idempotencyKey?: string
    /** Sends the call even if the page is being left. Small bodies only. */
    keepalive?: boolean
  }

/** An operation without input can be called without arguments. */
export type Arguments<N extends OperationName> =
  Record<never, never> extends Input<N> ? [input?: Input<N>] : [input: Input<N>]

/** Calls an operation of the contract: its data, or an `ApiError`. */
export async function call<N extends OperationName>(name: N, ...input: Arguments<N>): Promise<Data<N>> {
  return (await ask(name, ...input)).data
}

/** The whole answer: its data and extra fields such as the continuation token of a list. */
export async function ask<N extends OperationName>(name: N, ...[input]: Arguments<N>): Promise<Answer<N>> {
  const response = await send(name, input ?? {})
  const answer = await bodyOf(response)
  if (response.ok && answer?.status === 'SUCCESS') return answer as unknown as Answer<N>
  throw failureOf(response, answer)
}

/** Calls an operation that answers a file. Its failures are JSON, as everywhere; a file can be JSON too, but has a name. */
export async function fetchFile<N extends OperationName>(name: N, input: Input<N>): Promise<Blob> {
  const response = await send(name, input)
  const { headers } = response
  if (response.ok && (headers.has('content-disposition') || !headers.get('content-type')?.includes('json')))
    return response.blob()
  throw failureOf(response, await bodyOf(response))
}

/** The address of a file, for a link or an event stream. */
export function fileAddress<N extends OperationName>(name: N, input: Pick<Input<N>, 'params' | 'query'>): string {
  return urlOf(addressOf(name).path, input)
}

type Request = {
  body?: unknown
  params?: unknown
  query?: unknown
  signal?: AbortSignal
  idempotencyKey?: string
  keepalive?: boolean
}

async function send(name: OperationName, input: Request): Promise<Response> {
  const isBackground = isUnattended()
  const sentAt = Date.now()
  const { method, path } = addressOf(name)
  const response = await fetch(urlOf(path, input), {
    method,
    headers: headersOf(input, isBackground),
    ...(input.body === undefined ? {} : { body: sentBody(input.body) }),
    ...(input.signal ? { signal: input.signal } : {}),
    ...(input.keepalive ? { keepalive: true } : {}),
  }).catch((error: unknown) => {
    if (input.signal?.aborted) throw error
    throw new ApiError(0, UNREACHABLE)
  })
  if (!isBackground) noteExtended(sentAt)
  noteServerTime(response.headers.get('date'))
  return response
}

function urlOf(declaredPath: string, input: Pick<Request, 'params' | 'query'>): string {
  const params = (input.params ?? {}) as Record<string, unknown>
  const path = declaredPath.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])))
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries((input.query ?? {}) as Record<string, unknown>))
    if (value !== undefined) query.append(name, String(value))
  // The paths of the contract begin with /api. The configured address may add a host and a path before it.
  const base = runtimeConfig().apiUrl.replace(/\/api\/?$/, '')
  return `${base}${path}${query.size > 0 ? `?${query}` : ''}`
}

const isUpload = (body: unknown): body is { file: Uint8Array<ArrayBuffer> } =>
  (body as { file?: unknown } | undefined)?.file instanceof Uint8Array

/** An upload is a multipart form. The file comes last, because the server reads the fields before it. */
function sentBody(body: unknown): string | FormData {
  if (!isUpload(body)) return JSON.stringify(body)
  const form = new FormData()
  const { file, ...fields } = body
  for (const [name, value] of Object.entries(fields)) form.append(name, String(value))
  form.append('file', new Blob([file]), 'file')
  return form
}

function headersOf({ body, idempotencyKey }: Request, isBackground: boolean): Record<string, string> {
  return {
    // Pages of other sites cannot send this header without a preflight request.
    'X-Requested-With': 'portal',
    // For a multipart form the browser sets the content type with its boundary.
    ...(body === undefined || isUpload(body) ? {} : { 'Content-Type': 'application/json' }),
    ...(idempotencyKey ? { 'Idempotency-Key': idempotencyKey } : {}),
    ...(isBackground ? { [BACKGROUND_HEADER]: '1' } : {}),
  }
}

type AnyAnswer = { status?: string; code?: FailureCode; err?: string; data?: unknown }

async function bodyOf(response: Response): Promise<AnyAnswer | undefined> {
  return response.json().catch(() => undefined)
}

function failureOf(response: Response, answer: AnyAnswer | undefined): ApiError {
  const text = answer?.err ?? textForStatus(response.status)
  if (answer?.code === 'STALE' && answer.data) return new ConflictError(text, answer.data as Versions)
  if (response.ok && Array.isArray(answer?.data)) return new BatchError(text, answer.code, answer.data as RefusedLine[])
  const failure = new ApiError(response.status, text, answer?.code)
  if (failure.code === 'NOT_SIGNED_IN') signInEnded()
  return failure
}
