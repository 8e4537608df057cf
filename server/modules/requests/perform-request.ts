import type { approveRequest } from '#contract/requests/requests.ts'
import type { RequestKind } from '#domain/requests/request.ts'
import { readEmail } from '#domain/settings/email-address.ts'
import { BatchRefusal, BusinessRefusal } from '#server/http/http-error.ts'
import { addSeats, requireHostName } from '#server/modules/activations/activations.public.ts'
import { lockEntitlements } from '#server/modules/entitlements/entitlements.public.ts'
import { orderProduct, requireOffer } from '#server/modules/fsa/fsa.public.ts'
import { requestFacts } from '#server/modules/requests/request-facts.ts'
import type { RequestRow } from '#server/modules/requests/requests.queries.ts'
import { lockSeatEntitlements, saveWebUsers } from '#server/modules/web-licenses/web-licenses.public.ts'
import type { Call } from '#server/operations/route.ts'

/** The call in whose transaction a request is decided, and the account that it is about. */
export type RequestCall = Omit<Call<typeof approveRequest>, 'body'>

export type Wanted = {
  readonly kind: RequestKind
  readonly item: string
  readonly target: string
  readonly quantity: number
}
export type OrderTerms = NonNullable<Call<typeof approveRequest>['body']['order']>

/**
 * Does what a request asks for, in the transaction of its approval. The audit entries of the act name the request and its
 * author besides the caller.
 */
export async function performRequest(
  call: RequestCall,
  request: RequestRow & { readonly ruleOf?: string },
  wanted: Wanted,
  terms?: OrderTerms,
): Promise<void> {
  const { customerNumber } = call.standing
  const about = {
    ...requestFacts(request),
    isAsAsked: wanted.item === request.item && wanted.target === request.target && wanted.quantity === request.quantity,
    ...(request.ruleOf === undefined ? {} : { approvedByRuleOf: request.ruleOf }),
  }
  const act: RequestCall = {
    ...call,
    audit: ({ after, ...entry }) =>
      call.audit({ customerNumber, target: request.request_id, ...entry, after: { ...about, act: after } }),
  }
  try {
    await perform(act, wanted, terms)
  } catch (error) {
    // The lines of a batch are those of another operation.
    if (!(error instanceof BatchRefusal)) throw error
    const [line] = error.lines as readonly { readonly err?: string }[]
    throw new BusinessRefusal(error.code, line?.err ?? error.message)
  }
}

async function perform(call: RequestCall, { kind, item, target, quantity }: Wanted, terms?: OrderTerms): Promise<void> {
  const { customerNumber } = call.standing
  switch (kind) {
    case 'web-license': {
      // Adds the user if the account does not know them yet.
      const users = [{ email: target, entitlements: [item] }]
      await saveWebUsers({ ...call, body: { customerNumber, users } })
      return
    }
    case 'seats':
      return addSeats(call, { serverId: target, activationId: item, seats: quantity })
    case 'order':
      return orderProduct(call, { fsaId: target, partNumber: item, count: quantity }, terms)
  }
}

/** What an approval has given, and to whom, in the words of the lists. */
export async function describeGrant(
  call: Pick<RequestCall, 'db' | 'now' | 'standing' | 'timeZone'>,
  { kind, item, target }: Omit<Wanted, 'quantity'>,
): Promise<Pick<RequestRow, 'product' | 'target_name'>> {
  const { db, standing } = call
  switch (kind) {
    case 'web-license':
      return {
        product: (await lockSeatEntitlements(db, standing.customerNumber, [item])).get(item)?.product ?? item,
        target_name: readEmail(target) ?? target,
      }
    case 'seats':
      return {
        product: (await lockEntitlements(db, standing.customerNumber, [item])).get(item)?.product_name ?? item,
        target_name: (await requireHostName(call, target)).name,
      }
    case 'order': {
      const { contract, product } = await requireOffer(call, { fsaId: target, partNumber: item })
      return { product: product.name, target_name: contract.fsaId }
    }
  }
}
