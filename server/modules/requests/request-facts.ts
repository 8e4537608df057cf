import { requestText } from '#domain/requests/request.ts'
import type { RequestRow } from '#server/modules/requests/requests.queries.ts'

export const textOf = ({
  kind,
  product,
  quantity,
  target_name,
}: Pick<RequestRow, 'kind' | 'product' | 'quantity' | 'target_name'>): string =>
  requestText({ kind, product, quantity, targetName: target_name })

/** What audit entries say about a request, so that their words name it. */
export const requestFacts = (request: RequestRow) => ({
  request: request.request_id,
  requested: textOf(request),
  requestedBy: request.requested_by,
})
