import { useQueryClient } from '@tanstack/react-query'
import { type Dispatch, type SetStateAction, useRef } from 'react'
import { useNavigate } from 'react-router'
import type { WireContract } from '#contract/fsa/contracts.ts'
import { ORDER_DONE, ORDER_INCOMPLETE } from '#domain/fsa/order-texts.ts'
import { useSave } from '#web/form/use-save.ts'
import { usePortalAddress } from '#web/lib/address/portal-link.tsx'
import { ask } from '#web/lib/api/api-client.ts'
import { ApiError, BatchError, ConflictError, failureText, hasCode } from '#web/lib/api/api-error.ts'
import { useKnownCustomer } from '#web/lib/customer.tsx'
import { type EditedLine, wireLines } from '#web/modules/fsa/edited-lines.ts'
import { type EditedOrder, loseDraft, meetTheirs, orderPartly, refuseLines } from '#web/modules/fsa/edited-order.ts'
import { type OrderAnswer, type OrderBody, reloadAfterOrder } from '#web/modules/fsa/fsa.api.ts'
import { DRAFT_GONE, UNANSWERED } from '#web/modules/fsa/fsa-texts.ts'
import { showPanel, withdrawPanel } from '#web/ui/panels.ts'

export type OrderAct = 'Order' | 'OrderAndActivate'

/** Some lines were ordered, others refused. */
class PartlyOrderedError extends ApiError {
  readonly answer: OrderAnswer
  constructor(answer: OrderAnswer) {
    super(200, ORDER_INCOMPLETE)
    this.answer = answer
  }
}

type Options = {
  order: EditedOrder
  change: Dispatch<SetStateAction<EditedOrder>>
  /** The lines at current prices. */
  lines: readonly EditedLine[]
  available: string | undefined
  startAgain(): void
}

/** Sends the order, and brings what the server says about it into the lines. */
export function usePlaceOrder({ order, change, lines, available, startAgain }: Options) {
  const { number, standing, reload } = useKnownCustomer()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const address = usePortalAddress()
  const failure = useFailurePanel()
  const act = useRef<OrderAct>('Order')
  const { fsaId, draft } = order

  const { save, isSaving } = useSave<OrderBody, OrderAnswer>({
    async send(body, key) {
      const answer = await ask('entitlements', { body, idempotencyKey: key })
      if (answer.data.some(({ status }) => status === 'FAILURE')) throw new PartlyOrderedError(answer)
      return answer
    },
    success: ORDER_DONE,
    async onSaved({ data: results, available }, body) {
      startAgain()
      // The first order of an account opens the activations to it.
      if (!standing.holdings.ssl) await reload()
      await reloadAfterOrder(queries, number, { fsaId: body.fsaID, available })
      if (act.current === 'Order') return
      const ids = results.flatMap(({ ActivationId }, index) =>
        body.products[index]?.manualentry || !ActivationId ? [] : [ActivationId],
      )
      const ordered = ids.map((id) => ['activate', id])
      await navigate(address(`/activations?${new URLSearchParams([...ordered, ['action', 'confirm']])}`))
    },
    onFailed(error) {
      const isGone = draft !== undefined && hasCode(error, 'NOT_FOUND')
      if (!(error instanceof ConflictError)) failure.show(isGone ? DRAFT_GONE : orderFailureText(error))
      change((now) => ({ ...now, unanswered: hasCode(error, 'NO_ANSWER') ? available : undefined }))
      if (error instanceof PartlyOrderedError) {
        change(orderPartly(error.answer.data))
        void reloadAfterOrder(queries, number, { fsaId: fsaId ?? '', available: error.answer.available })
        return true
      }
      if (error instanceof BatchError) change(refuseLines(error.lines))
      else if (error instanceof ConflictError) change(meetTheirs(error.versions.current))
      else if (isGone) change(loseDraft)
      else return true
      void reloadAfterOrder(queries, number, undefined)
      return true
    },
  })

  return {
    isSaving,
    clearFailure: failure.clear,
    place(how: OrderAct, contract: WireContract) {
      act.current = how
      failure.clear()
      // The button is not part of the request: a retry after a lost answer must be the same call, from either button.
      save({
        ansyshasfsa: true,
        customerNumber: number,
        accountid: number,
        fsaID: contract.fsaID,
        products: wireLines(lines),
        ...(draft && { draft: { id: draft.id, revision: draft.revision } }),
      })
    },
  }
}

/** The panel of an order that failed. It goes as soon as it is no longer about what is on screen. */
function useFailurePanel() {
  const shown = useRef<string>(undefined)
  const clear = () => {
    if (shown.current !== undefined) withdrawPanel('error', shown.current)
    shown.current = undefined
  }
  const show = (text: string) => {
    clear()
    shown.current = text
    showPanel('error', text)
  }
  return { show, clear }
}

function orderFailureText(error: Error): string {
  const text = failureText(error)
  return hasCode(error, 'NO_ANSWER') ? `POST: ERROR in /api/entitlements: ${text} ${UNANSWERED}` : text
}
