import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { readContract } from '#contract/fsa/contracts.ts'
import type { Draft } from '#contract/fsa/drafts.ts'
import { findProduct, isOrderable, obviousContract } from '#domain/fsa/contract.ts'
import { blankLine, blankManualLine, changeCount, changeProduct, type OrderLine } from '#domain/fsa/order-line.ts'
import { type EditedField, ORDER_DONE, ORDER_INCOMPLETE } from '#domain/fsa/order-texts.ts'
import { useSave } from '#web/form/use-save.ts'
import { usePortalAddress } from '#web/lib/address/portal-link.tsx'
import { ask } from '#web/lib/api/api-client.ts'
import { ApiError, BatchError, ConflictError, failureText, hasCode } from '#web/lib/api/api-failure.ts'
import { useCan, useKnownCustomer } from '#web/lib/customer.tsx'
import { leaveSafely, useUnsavedChanges } from '#web/lib/kept/unsaved-changes.ts'
import {
  atCurrentPrices,
  decideLines,
  type EditedLine,
  isBlank,
  type LastEdit,
  linesOfDraft,
  refusedLines,
  wireLines,
} from '#web/modules/fsa/edited-lines.ts'
import { type OrderAnswer, type OrderBody, reloadAfterOrder } from '#web/modules/fsa/fsa.api.ts'
import { contractUnavailable, UNANSWERED } from '#web/modules/fsa/fsa-texts.ts'
import {
  contractInAddress,
  type FsaAddress,
  keepContractInAddress,
  lineInAddress,
} from '#web/modules/fsa/use-fsa-address.ts'
import { showPanel, withdrawPanel } from '#web/ui/panels.ts'
import { contractsQuery } from '#web/ui/spending-accounts.ts'

export type OrderAct = 'Order' | 'OrderAndActivate'

/** Some lines were ordered, others refused. */
class PartlyOrderedError extends ApiError {
  readonly answer: OrderAnswer
  constructor(answer: OrderAnswer) {
    super(200, ORDER_INCOMPLETE)
    this.answer = answer
  }
}

/** What the server says about a draft that somebody else has changed. */
type CurrentDraft = Pick<Draft, 'id' | 'revision' | 'name' | 'savedBy' | 'products'>

/** The draft that the lines come from. */
export type OpenDraft = Omit<CurrentDraft, 'products'> & {
  /** Unknown for a version that was met on saving. */
  readonly savedAt?: string
  /** Somebody else has ordered or deleted the draft. The lines on screen can only become a new draft. */
  readonly isGone?: boolean
}

/** The order that is being edited. It outlives a change of tabs. */
export function useOrder({ tab, visit }: FsaAddress) {
  const { number, info, standing, reload } = useKnownCustomer()
  const { today } = info
  const isBusops = useCan('fsa.manual-lines')
  const queries = useQueryClient()
  const navigate = useNavigate()
  const address = usePortalAddress()
  const { data, error, refetch } = useQuery(contractsQuery(number))
  const offered = useMemo(() => data?.filter(({ EndDate }) => isOrderable({ endDate: EndDate }, today)), [data, today])
  const [fsaId, setFsaId] = useState<string>()
  const [entered, setLines] = useState<readonly EditedLine[]>([])
  const [edit, setEdit] = useState<LastEdit>()
  /** The text of the panel after an order that failed. */
  const failure = useRef<string>(undefined)
  const setFailure = (text: string | undefined) => {
    if (failure.current !== undefined) withdrawPanel('error', failure.current)
    failure.current = text
    if (text !== undefined) showPanel('error', text)
  }
  const [draft, setDraft] = useState<OpenDraft>()
  /** What the draft holds, to tell whether the lines differ from it. */
  const [saved, setSaved] = useState(NOTHING)
  /** What somebody else has saved in the draft since it was opened. */
  const [theirs, setTheirs] = useState<CurrentDraft>()
  /** The balance of an order whose answer was lost. The order may have been booked. */
  const [unanswered, setUnanswered] = useState<string>()
  const lastKey = useRef(0)
  const act = useRef<OrderAct>('Order')

  const chosen = offered?.find((one) => one.fsaID === fsaId)
  const contract = useMemo(() => chosen && readContract(chosen), [chosen])
  // An order that may have been booked is repeated as it was.
  const lines = useMemo(
    () => (contract && unanswered === undefined ? atCurrentPrices(entered, { contract, today, isBusops }) : entered),
    [entered, contract, today, isBusops, unanswered],
  )
  // An equal order must be possible again, although the balance may already be reduced by it.
  const available = unanswered ?? chosen?.available
  const terms = contract && available !== undefined && { contract, today, isBusops, available }
  const decision = terms ? decideLines(lines, terms, edit) : undefined

  const added = (line: Omit<EditedLine, 'key'>): EditedLine => {
    lastKey.current += 1
    return { key: lastKey.current, ...line }
  }
  const show = (id: string | undefined, shown: readonly EditedLine[], from?: OpenDraft) => {
    setFsaId(id)
    setLines(shown)
    setDraft(from)
    setSaved(from ? contentOf(shown) : NOTHING)
    setEdit(undefined)
    setFailure(undefined)
    setTheirs(undefined)
    setUnanswered(undefined)
  }
  const startWith = (id: string | undefined, wanted?: ReturnType<typeof lineInAddress>) => {
    const of = offered?.find((one) => one.fsaID === id)
    if (!of || of.fsaproducts.length === 0) return show(id, [])
    const terms = readContract(of)
    const line = blankLine(terms)
    const isOffered = wanted && findProduct(terms, wanted.partNumber)
    const first = isOffered ? changeCount(changeProduct(line, wanted.partNumber, terms, today), wanted.count) : line
    show(id, [added({ line: first })])
  }
  const setEdited = (change: (now: readonly EditedLine[]) => readonly EditedLine[]) => {
    setLines(change)
    setUnanswered(undefined)
  }

  const append = (line: OrderLine) => {
    const last = added({ line })
    setEdited((now) => [...now, last])
  }

  const { save, isSaving } = useSave<OrderBody, OrderAnswer>({
    async send(body, key) {
      const answer = await ask('entitlements', { body, idempotencyKey: key })
      if (answer.data.some(({ status }) => status === 'FAILURE')) throw new PartlyOrderedError(answer)
      return answer
    },
    success: ORDER_DONE,
    async onSaved({ data: results, available }, body) {
      startWith(fsaId)
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
      if (!(error instanceof ConflictError)) setFailure(isGone ? DRAFT_GONE : orderFailureText(error))
      setUnanswered(hasCode(error, 'NO_ANSWER') ? available : undefined)
      if (error instanceof PartlyOrderedError) {
        setLines((now) => refusedLines(now, error.answer.data))
        // What was refused is the next revision of the draft.
        setDraft((now) => now && { ...now, revision: now.revision + 1 })
        void reloadAfterOrder(queries, number, { fsaId: fsaId ?? '', available: error.answer.available })
      } else if (error instanceof BatchError) {
        setLines((now) => refusedLines(now, error.lines))
        void reloadAfterOrder(queries, number, undefined)
      } else if (error instanceof ConflictError) {
        setTheirs(error.versions.current as CurrentDraft)
        void reloadAfterOrder(queries, number, undefined)
      } else if (isGone) {
        setDraft({ ...draft, isGone: true })
        void reloadAfterOrder(queries, number, undefined)
      }
      return true
    },
  })
  const hasContent = lines.some(({ line }) => !isBlank(line))
  const isDirty = hasContent && contentOf(lines) !== saved
  useUnsavedChanges(isDirty && !isSaving)

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
  const choose = (id: string, wanted?: ReturnType<typeof lineInAddress>) => {
    if (id !== fsaId || wanted) replaceLines(id, () => startWith(id, wanted))
  }
  const isLoaded = offered !== undefined
  useEffect(() => {
    if (!isLoaded || tab !== 'order') return
    const wanted = contractInAddress() ?? (fsaId === undefined ? obviousContract(offered)?.fsaID : undefined)
    const line = lineInAddress()
    if (wanted === fsaId && (fsaId === undefined || line === undefined)) return
    const isOffered = offered.some((one) => one.fsaID === wanted)
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
    decision,
    lines,
    today,
    isBusops,
    hasContent,
    canReset: hasContent || draft !== undefined || lines.length > 1 || lines.some(({ line }) => line.isManual),
    isSaving,
    draft,
    choose: (id: string) => choose(id),
    reset: () => startWith(fsaId),
    open(one: Draft) {
      const of = offered?.find(({ fsaID }) => fsaID === one.fsaID)
      if (!of) return
      const drafted = linesOfDraft(one, readContract(of), isBusops)
      replaceLines(one.fsaID, () => show(one.fsaID, drafted.map(added), one))
    },
    /** Both versions of the draft, until the person has chosen one. */
    conflict: theirs &&
      contract && {
        savedBy: theirs.savedBy,
        theirs: linesOfDraft(theirs, contract, isBusops).map(({ line }) => line),
        yours: lines.flatMap(({ line }) => (isBlank(line) ? [] : [line])),
        takeTheirs: () => show(fsaId, linesOfDraft(theirs, contract, isBusops).map(added), theirs),
        /** The next save or order takes the place of what they saved. */
        keepMine() {
          setDraft(theirs)
          setSaved(NOTHING)
          setTheirs(undefined)
        },
      },
    draftChanged: (versions: ConflictError['versions']) => setTheirs(versions.current as CurrentDraft),
    draftSaved(one: Draft) {
      setTheirs(undefined)
      setDraft(one)
      setSaved(contentOf(lines))
      setFailure(undefined)
    },
    draftGone: () => setDraft((now) => now && { ...now, isGone: true }),
    /** The lines stay: they may be needed after all. */
    draftDeleted: (id: string) => {
      if (draft?.id !== id) return
      setDraft(undefined)
      setSaved(NOTHING)
    },
    add: () => contract && append(blankLine(contract)),
    addManual: () => contract && append(blankManualLine(contract, today)),
    change(key: number, line: OrderLine, field: EditedField) {
      setEdited((now) => now.map((one) => (one.key === key ? { key, line } : one)))
      setEdit({ key, field })
    },
    remove: (key: number) => setEdited((now) => now.filter((one) => one.key !== key)),
    place(how: OrderAct) {
      if (!chosen) return
      act.current = how
      setFailure(undefined)
      // The button is not part of the request: a retry after a lost answer must be the same call, from either button.
      save({
        ansyshasfsa: true,
        customerNumber: number,
        accountid: number,
        fsaID: chosen.fsaID,
        products: wireLines(lines),
        ...(draft && { draft: { id: draft.id, revision: draft.revision } }),
      })
    },
  }
}

export type Order = ReturnType<typeof useOrder>

export const DRAFT_GONE =
  'Somebody else has ordered or deleted this draft in the meantime. Save these lines as a new draft to keep them.'

function orderFailureText(error: Error): string {
  const text = failureText(error)
  return hasCode(error, 'NO_ANSWER') ? `POST: ERROR in /api/entitlements: ${text} ${UNANSWERED}` : text
}

const NOTHING = JSON.stringify([])
const contentOf = (lines: readonly EditedLine[]) => JSON.stringify(wireLines(lines))
