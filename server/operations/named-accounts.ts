import type { FastifyRequest } from 'fastify'
import type { Access } from '#contract/kit/operation.ts'
import { HttpError } from '#server/http/http-error.ts'

const MAX_ACCOUNTS = 100

/**
 * The accounts that a request names, each once. The body is not validated yet: anything but a text is skipped here and
 * refused by validation.
 */
export function accountsNamedIn(request: Pick<FastifyRequest, 'body' | 'params' | 'query'>, access: Access): string[] {
  if (access.kind === 'account')
    return [propertyOf(request[access.customerNumberIn], 'customerNumber')].filter(isCustomerNumber)
  if (access.kind !== 'accounts') return []
  const [list = '', property] = access.customerNumbersIn.split(/\[\]\.?/)
  const elements = propertyOf(request.body, list)
  if (!Array.isArray(elements)) return []
  const named = elements.map((element) => (property ? propertyOf(element, property) : element)).filter(isCustomerNumber)
  const customerNumbers = [...new Set(named)]
  if (customerNumbers.length > MAX_ACCOUNTS)
    throw new HttpError(400, `A request can name at most ${MAX_ACCOUNTS} accounts`)
  return customerNumbers
}

function propertyOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined
}

const isCustomerNumber = (value: unknown): value is string => typeof value === 'string' && value.length <= 100
