import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { readContract } from '#contract/fsa/contracts.ts'
import { toWireOrderLine } from '#contract/fsa/order-entitlements.ts'
import { isOrderable } from '#domain/fsa/contract.ts'
import { blankLine, blankManualLine, type OrderLine } from '#domain/fsa/order-line.ts'
import { type EditedField, ORDER_DONE, ORDER_INCOMPLETE } from '#domain/fsa/order-texts.ts'
import { useSave } from '#web/form/use-save.ts'
import { ApiFailure, BatchFailure, failureText, hasCode } from '#web/lib/api-failure.ts'
import { useCan, useKnownCustomer } from '#web/lib/customer.tsx'
import { usePortalAddress } from '#web/lib/portal-link.tsx'
import { leaveSafely, useUnsavedChanges } from '#web/lib/unsaved-changes.ts'
import { decideLines, type EditedLine, isBlank, type LastEdit, refusedLines } from '#web/modules/fsa/edited-lines.ts'
import {
  contractsQuery,
  type OrderAnswer,
  type OrderBody,
  reloadAfterOrder,
  sendOrder,
} from '#web/modules/fsa/fsa.api.ts'

export type OrderAct = 'Order' | 'OrderAndActivate'

/** Some lines were ordered, others refused. */
class PartlyOrdered extends ApiFailure {
  readonly answer: OrderAnswer
  constructor(answer: OrderAnswer) {
    super(200, ORDER_INCOMPLETE)
    this.answer = answer
  }
}

/** The order that is being edited. It outlives a change of tabs. */
export function useOrder() {
  const { number, info } = useKnownCustomer()
  const { today } = info
  const isBusops = useCan('fsa.manual-lines')
  const queries = useQueryClient()
  const navigate = useNavigate()
  const address = usePortalAddress()
  const { data, error, refetch } = useQuery(contractsQuery(number))
  const offered = useMemo(() => data?.filter(({ EndDate }) => isOrderable({ endDate: EndDate }, today)), [data, today])
  const [fsaId, setFsaId] = useState<string>()
  const [lines, setLines] = useState<readonly EditedLine[]>([])
  const [edit, setEdit] = useState<LastEdit>()
  const [failure, setFailure] = useState<string>()
  const lastKey = useRef(0)
  const act = useRef<OrderAct>('Order')

  const chosen = offered?.find((one) => one.fsaID === fsaId)
  const contract = useMemo(() => chosen && readContract(chosen), [chosen])
  const terms = chosen && contract && { contract, today, isBusops, available: chosen.available }
  const decision = terms && decideLines(lines, terms, edit)

  const added = (line: OrderLine): EditedLine => {
    lastKey.current += 1
    return { key: lastKey.current, line }
  }
  const startWith = (id: string | undefined) => {
    const of = offered?.find((one) => one.fsaID === id)
    setFsaId(id)
    setLines(of && of.fsaproducts.length > 0 ? [added(blankLine(readContract(of)))] : [])
    setEdit(undefined)
    setFailure(undefined)
  }

  const { save, isSaving } = useSave<OrderBody, OrderAnswer>({
    async send(body, key) {
      const answer = await sendOrder(body, key)
      if (answer.data.some(({ status }) => status === 'FAILURE')) throw new PartlyOrdered(answer)
      return answer
    },
    success: ORDER_DONE,
    async onSaved({ data: results, available }, body) {
      startWith(fsaId)
      await reloadAfterOrder(queries, number, { fsaId: body.fsaID, available })
      if (act.current === 'Order') return
      const ids = results.flatMap(({ ActivationId }, index) =>
        body.products[index]?.manualentry || !ActivationId ? [] : [ActivationId],
      )
      const query = ids.length === 1 ? `?${new URLSearchParams({ activate: ids[0] ?? '' })}` : ''
      await navigate(address(`/activations${query}`))
    },
    onFailed(error) {
      setFailure(orderFailureText(error))
      if (error instanceof PartlyOrdered) {
        setLines((now) => refusedLines(now, error.answer.data))
        void reloadAfterOrder(queries, number, { fsaId: fsaId ?? '', available: error.answer.available })
      } else if (error instanceof BatchFailure) {
        setLines((now) => refusedLines(now, error.lines))
        void reloadAfterOrder(queries, number, undefined)
      }
      return true
    },
  })
  const isDirty = lines.some(({ line }) => !isBlank(line))
  useUnsavedChanges(isDirty && !isSaving)

  return {
    offered,
    loadError: error,
    reload: () => void refetch(),
    chosen,
    contract,
    decision,
    lines,
    today,
    isBusops,
    isDirty,
    isSaving,
    failure,
    dismissFailure: () => setFailure(undefined),
    /** Lines of another contract cannot be kept: their prices are those of their contract. */
    choose(id: string | undefined) {
      if (id === fsaId) return
      if (isDirty) leaveSafely(() => startWith(id))
      else startWith(id)
    },
    reset: () => startWith(fsaId),
    add: () => contract && setLines([...lines, added(blankLine(contract))]),
    addManual: () => contract && setLines([...lines, added(blankManualLine(contract, today))]),
    change(key: number, line: OrderLine, field: EditedField) {
      setLines((now) => now.map((one) => (one.key === key ? { key, line } : one)))
      setEdit({ key, field })
    },
    remove: (key: number) => setLines((now) => now.filter((one) => one.key !== key)),
    place(how: OrderAct) {
      if (!chosen) return
      act.current = how
      setFailure(undefined)
      // The act is not sent: the same order after a lost answer must be the same call, whichever button it was.
      save({
        ansyshasfsa: true,
        customerNumber: number,
        accountid: number,
        fsaID: chosen.fsaID,
        products: lines.map(({ line }) => toWireOrderLine(line)),
      })
    },
  }
}

export type Order = ReturnType<typeof useOrder>

function orderFailureText(error: Error): string {
  const text = failureText(error)
  return hasCode(error, 'NO_ANSWER') ? `POST: ERROR in /api/entitlements: ${text}` : text
}
