import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { readContract } from '#contract/fsa/contracts.ts'
import type { Draft } from '#contract/fsa/drafts.ts'
import { findProduct, isOrderable, newestContract } from '#domain/fsa/contract.ts'
import { blankLine, blankManualLine, changeCount, changeProduct, type OrderLine } from '#domain/fsa/order-line.ts'
import type { EditedField } from '#domain/fsa/order-texts.ts'
import type { ConflictError } from '#web/lib/api/api-error.ts'
import { useCan, useKnownCustomer } from '#web/lib/customer.tsx'
import { leaveSafely, useUnsavedChanges } from '#web/lib/kept/unsaved-changes.ts'
import { atCurrentPrices, decideLines, isBlank, linesOfDraft } from '#web/modules/fsa/edited-lines.ts'
import {
  addLine,
  changeLine,
  deleteDraft,
  hasContent,
  isUnsaved,
  keepMine,
  loseDraft,
  meetTheirs,
  type NewLine,
  NO_ORDER,
  type OpenDraft,
  removeLine,
  saveDraft,
  showLines,
} from '#web/modules/fsa/edited-order.ts'
import { contractUnavailable } from '#web/modules/fsa/fsa-texts.ts'
import {
  contractInAddress,
  type FsaAddress,
  keepContractInAddress,
  lineInAddress,
} from '#web/modules/fsa/use-fsa-address.ts'
import { type OrderAct, usePlaceOrder } from '#web/modules/fsa/use-place-order.ts'
import { contractsQuery } from '#web/parts/spending-accounts.ts'
import { showPanel } from '#web/ui/panels.ts'

export type Order = ReturnType<typeof useOrder>
type FirstLine = ReturnType<typeof lineInAddress>

/** The order that is being edited. It outlives a change of tabs. */
export function useOrder({ tab, visit }: FsaAddress) {
  const { number, info } = useKnownCustomer()
  const { today } = info
  const isBusops = useCan('fsa.manual-lines')
  const { data, error, refetch } = useQuery(contractsQuery(number))
  const offered = useMemo(() => data?.filter(({ EndDate }) => isOrderable({ endDate: EndDate }, today)), [data, today])
  const [order, change] = useState(NO_ORDER)
  const { fsaId, draft, theirs, unanswered } = order
  const findOffered = (id: string | undefined) => offered?.find(({ fsaID }) => fsaID === id)

  const chosen = findOffered(fsaId)
  const contract = useMemo(() => chosen && readContract(chosen), [chosen])
  // An order that may have been booked is repeated as it was.
  const lines = useMemo(
    () =>
      contract && unanswered === undefined ? atCurrentPrices(order.lines, { contract, today, isBusops }) : order.lines,
    [order.lines, contract, today, isBusops, unanswered],
  )
  // An equal order must be possible again, although the balance may already be reduced by it.
  const available = unanswered ?? chosen?.available
  const terms = contract && available !== undefined && { contract, today, isBusops, available }

  const show = (id: string | undefined, shown: readonly NewLine[], from?: OpenDraft) => {
    change(showLines(id, shown, from))
    placing.clearFailure()
  }
  const startWith = (id: string | undefined, wanted?: FirstLine) => {
    const of = findOffered(id)
    if (!of || of.fsaproducts.length === 0) return show(id, [])
    const terms = readContract(of)
    const line = blankLine(terms)
    const isOffered = wanted && findProduct(terms, wanted.partNumber)
    show(id, [
      { line: isOffered ? changeCount(changeProduct(line, wanted.partNumber, terms, today), wanted.count) : line },
    ])
  }
  const placing = usePlaceOrder({ order, change, lines, available, startAgain: () => startWith(fsaId) })
  const isDirty = isUnsaved(lines, order)
  useUnsavedChanges(isDirty && !placing.isSaving)

  /** Puts other lines in the place of what is edited. */
  const replaceLines = (id: string, show: () => void) => {
    const replace = () => {
      show()
      keepContractInAddress(id)
    }
    if (isDirty) leaveSafely(replace)
    else replace()
  }
  /** Lines of another contract cannot be kept: their prices are those of their contract. */
  const choose = (id: string, wanted?: FirstLine) => {
    if (id !== fsaId || wanted) replaceLines(id, () => startWith(id, wanted))
  }
  const isLoaded = offered !== undefined
  useEffect(() => {
    if (!isLoaded || tab !== 'order') return
    const wanted = contractInAddress() ?? (fsaId === undefined ? newestContract(offered, today)?.fsaID : undefined)
    const line = lineInAddress()
    if (wanted === fsaId && (fsaId === undefined || line === undefined)) return
    const isOffered = findOffered(wanted) !== undefined
    if (wanted !== undefined && !isOffered) showPanel('warning', contractUnavailable(wanted))
    // What is on screen stays until the person agrees to lose it.
    keepContractInAddress(fsaId)
    if (wanted !== undefined && isOffered) choose(wanted, line)
  }, [isLoaded, tab, visit])

  return {
    offered,
    loadError: error,
    reload: () => void refetch(),
    chosen,
    contract,
    available,
    lines,
    decision: terms ? decideLines(lines, terms, order.edit) : undefined,
    draft,
    isSaving: placing.isSaving,
    choose: (id: string) => choose(id),
    place: (how: OrderAct) => chosen && placing.place(how, chosen),
    editing: {
      hasContent: hasContent(lines),
      canReset: hasContent(lines) || draft !== undefined || lines.length > 1 || lines.some(({ line }) => line.isManual),
      reset: () => startWith(fsaId),
      add: () => contract && change(addLine(blankLine(contract))),
      addManual: () => contract && change(addLine(blankManualLine(contract, today))),
      change: (key: number, line: OrderLine, field: EditedField) => change(changeLine(key, line, field)),
      remove: (key: number) => change(removeLine(key)),
    },
    drafts: {
      open(one: Draft) {
        const of = findOffered(one.fsaID)
        if (!of) return
        const drafted = linesOfDraft(one, readContract(of), isBusops)
        replaceLines(one.fsaID, () => show(one.fsaID, drafted, one))
      },
      onSaved(one: Draft) {
        change(saveDraft(one, lines))
        placing.clearFailure()
      },
      onConflict: (versions: ConflictError['versions']) => change(meetTheirs(versions.current)),
      onGone: () => change(loseDraft),
      onDeleted: (id: string) => change(deleteDraft(id)),
    },
    /** Both versions of the draft, until the person has chosen one. */
    conflict: theirs &&
      contract && {
        savedBy: theirs.savedBy,
        theirs: linesOfDraft(theirs, contract, isBusops).map(({ line }) => line),
        yours: lines.flatMap(({ line }) => (isBlank(line) ? [] : [line])),
        takeTheirs: () => show(fsaId, linesOfDraft(theirs, contract, isBusops), theirs),
        keepMine: () => change(keepMine),
      },
  }
}
