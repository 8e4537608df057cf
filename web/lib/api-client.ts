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
import { noteServerTime } from '#web/lib/server-time.ts'
import { signInEnded } from '#web/lib/sign-in.ts'
import { noteExtended } from '#web/lib/sign-in-activity.ts'

type Part<Name extends string, Value> = [Value] extends [undefined] ? { [N in Name]?: never } : { [N in Name]: Value }

type Input<O extends Operation> = Part<'body', BodyOf<O>> &
  Part<'params', ParamsOf<O>> &
  Part<'query', QueryOf<O>> & {
    signal?: AbortSignal
    /** The server runs a call with the same key and body only once. */
    idempotencyKey?: string
    /** Sends the call even if the page is being left. Small bodies only. */
    keepalive?: boolean
  }

/** An operation without input can be called without arguments. */
type Arguments<O extends Operation> = Record<never, never> extends Input<O> ? [input?: Input<O>] : [input: Input<O>]

export type AnswerOf<O extends Operation> = { data: DataOf<O> } & ExtraFieldsOf<O>

/** Calls an operation of the contract: its data, or an `ApiFailure`. */
export async function call<O extends Operation>(operation: O, ...input: Arguments<O>): Promise<DataOf<O>> {
  return (await ask(operation, ...input)).data
}

/** The whole answer: its data and extra fields such as the continuation token of a list. */
export async function ask<O extends Operation>(operation: O, ...[input]: Arguments<O>): Promise<AnswerOf<O>> {
  const response = await send(operation, input ?? {})
  const answer = await bodyOf(response)
  if (response.ok && answer?.status === 'SUCCESS') return answer as unknown as AnswerOf<O>
  throw failureOf(response, answer)
}

/** Calls an operation that answers a file. Its failures are JSON, as everywhere; a file can be JSON too, but has a name. */
export async function fetchFile<O extends Operation>(operation: O, input: Input<O>): Promise<Blob> {
  const response = await send(operation, input)
  const { headers } = response
  if (response.ok && (headers.has('content-disposition') || !headers.get('content-type')?.includes('json')))
    return response.blob()
  throw failureOf(response, await bodyOf(response))
}

/** The address of a file, for a link or an event stream. */
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
  const isBackground = isUnattended()
  const sentAt = Date.now()
  const response = await fetch(addressOf(operation, input), {
    method: operation.method,
    headers: headersOf(operation, input, isBackground),
    ...(input.body === undefined ? {} : { body: sentBody(operation, input.body) }),
    ...(input.signal ? { signal: input.signal } : {}),
    ...(input.keepalive ? { keepalive: true } : {}),
  }).catch((error: unknown) => {
    if (input.signal?.aborted) throw error
    throw new ApiFailure(0, UNREACHABLE)
  })
  if (!isBackground) noteExtended(sentAt)
  noteServerTime(response.headers.get('date'))
  return response
}

function addressOf(operation: Operation, input: Pick<Request, 'params' | 'query'>): string {
  const params = (input.params ?? {}) as Record<string, unknown>
  const path = operation.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])))
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries((input.query ?? {}) as Record<string, unknown>))
    if (value !== undefined) query.append(name, String(value))
  // The paths of the contract begin with /api. The configured address may add a host and a path before it.
  const base = runtimeConfig().apiUrl.replace(/\/api\/?$/, '')
  return `${base}${path}${query.size > 0 ? `?${query}` : ''}`
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

function headersOf(operation: Operation, input: Request, isBackground: boolean): Record<string, string> {
  return {
    // Pages of other sites cannot send this header without a preflight request.
    'X-Requested-With': 'portal',
    // For a multipart form the browser sets the content type with its boundary.
    ...(input.body === undefined || operation.upload ? {} : { 'Content-Type': 'application/json' }),
    ...(input.idempotencyKey ? { 'Idempotency-Key': input.idempotencyKey } : {}),
    ...(isBackground ? { [BACKGROUND_HEADER]: '1' } : {}),
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
  const failure = new ApiFailure(response.status, text, answer?.code)
  if (failure.code === 'NOT_SIGNED_IN') signInEnded()
  return failure
}
