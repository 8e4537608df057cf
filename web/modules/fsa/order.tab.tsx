import { Button, Group, Paper, Select } from '@mantine/core'
import { IconPlus, IconWallet } from '@tabler/icons-react'
import { useState } from 'react'
import type { WireContract } from '#contract/fsa/contracts.ts'
import { isSelfServeAllowed } from '#domain/access/can.ts'
import type { OrderDecision } from '#domain/fsa/check-order.ts'
import { NO_PRODUCTS } from '#domain/fsa/contract.ts'
import { MAX_LINES } from '#domain/fsa/order-line.ts'
import { formatDecimal } from '#domain/money/decimal.ts'
import { useCan, useKnownCustomer } from '#web/lib/customer.tsx'
import { timeText, ZONE_NOTE } from '#web/lib/format.ts'
import { useSignedIn } from '#web/lib/sign-in/signed-in.tsx'
import { ConfirmOrderDialog } from '#web/modules/fsa/confirm-order.dialog.tsx'
import { DraftConflict } from '#web/modules/fsa/draft-conflict.tsx'
import { Drafts } from '#web/modules/fsa/drafts.section.tsx'
import { isOverBalance, orderFigures, orderProblem, shownErrors } from '#web/modules/fsa/edited-lines.ts'
import type { OpenDraft } from '#web/modules/fsa/edited-order.ts'
import { CONFLICT, DRAFT_GONE, LOADING, ORDERING } from '#web/modules/fsa/fsa-texts.ts'
import { OrderBalance } from '#web/modules/fsa/order-balance.tsx'
import { OrderLineRow } from '#web/modules/fsa/order-line-row.tsx'
import { SaveDraftDialog } from '#web/modules/fsa/save-draft.dialog.tsx'
import type { Order } from '#web/modules/fsa/use-order.ts'
import type { OrderAct } from '#web/modules/fsa/use-place-order.ts'
import { notice } from '#web/ui/dialogs/notice.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { FailureNotice } from '#web/ui/failure-notice.tsx'
import { ReasonTooltip } from '#web/ui/reason-tooltip.tsx'
import { SignalStrip } from '#web/ui/signal-strip.tsx'
import { Spinner, SpinnerOverlay } from '#web/ui/spinner.tsx'
import classes from './order.module.css'

const HEADS = [
  ['Product', undefined],
  ['Duration', '8rem'],
  ['Count', '5rem'],
  ['Start Date', '9rem'],
  ['End Date', '9rem'],
  ['Unit Cost', '7.5rem'],
  ['Cost', '7.5rem'],
  ['Currency', '4.5rem'],
] as const

/** Products are ordered from the balance of a contract. */
export function OrderTab({ order }: { order: Order }) {
  const { offered, loadError, chosen, contract, decision, isSaving } = order
  if (loadError) return <FailureNotice failure={loadError} onRetry={order.reload} />
  if (!offered) return <Spinner text={LOADING} />
  if (offered.length === 0)
    return (
      <EmptyState icon={IconWallet} title="Account does not have any active entitlements.">
        Products can be ordered as soon as there is a contract that has not expired.
      </EmptyState>
    )
  return (
    <>
      <Paper className={classes.editor} aria-busy={isSaving}>
        <div className={classes.head}>
          <ContractPicker order={order} offered={offered} />
          {chosen && (
            <OrderBalance
              chosen={chosen}
              available={order.available ?? chosen.available}
              figures={orderFigures(order.lines, order.available ?? chosen.available)}
            />
          )}
        </div>
        {contract?.products.length === 0 && (
          <SignalStrip signal="red" role="alert">
            {NO_PRODUCTS}
          </SignalStrip>
        )}
        {order.draft && <DraftStrip order={order} draft={order.draft} />}
        {chosen && contract && decision && <Editor {...{ order, chosen, contract, decision }} />}
        {isSaving && <SpinnerOverlay text={ORDERING} />}
      </Paper>
      <Drafts order={order} />
    </>
  )
}

function ContractPicker({ order, offered }: { order: Order; offered: readonly WireContract[] }) {
  const { chosen, isSaving } = order
  const label = chosen ? contractLabel(chosen) : ''
  const [search, setSearch] = useState(label)
  return (
    <Select
      className={classes.contract}
      label="FSA Contract"
      placeholder="Search by entitlement id or end date"
      searchable
      searchValue={search}
      onSearchChange={setSearch}
      // After Escape as well, the field shows the contract that is chosen.
      onDropdownClose={() => setSearch(label)}
      allowDeselect={false}
      disabled={isSaving}
      data={offered.map((one) => ({ value: one.fsaID, label: contractLabel(one) }))}
      value={chosen?.fsaID ?? null}
      nothingFoundMessage="No contract has this id or end date."
      onChange={(id) => id && order.choose(id)}
    />
  )
}

function DraftStrip({ order, draft }: { order: Order; draft: OpenDraft }) {
  const hasChangedPrices = order.lines.some(({ note }) => note !== undefined)
  return (
    <SignalStrip signal={hasChangedPrices ? 'orange' : 'blue'} role="status">
      Draft “{draft.name}”, saved by {draft.savedBy}
      {draft.savedAt && (
        <>
          {' '}
          on{' '}
          <time dateTime={draft.savedAt} title={ZONE_NOTE}>
            {timeText(draft.savedAt)}
          </time>
        </>
      )}
      . {hasChangedPrices && 'Prices have changed since then: the lines have the prices of today.'}
    </SignalStrip>
  )
}

type EditorProps = {
  order: Order
  chosen: WireContract
  contract: NonNullable<Order['contract']>
  decision: OrderDecision
}

function Editor({ order, chosen, contract, decision }: EditorProps) {
  const { lines, isSaving } = order
  const { number, standing, info } = useKnownCustomer()
  const { actor } = useSignedIn()
  const mayOrder = useCan('fsa.order')
  const isBusops = useCan('fsa.manual-lines')
  const [act, setAct] = useState<OrderAct>()
  const [isKeeping, setIsKeeping] = useState(false)
  const errors = shownErrors(lines, decision)
  const problem = order.conflict ? CONFLICT : order.draft?.isGone ? DRAFT_GONE : orderProblem(lines, decision)
  const isFull = isOverBalance(decision)
  const canActivate = isSelfServeAllowed(actor, standing) && !lines.every(({ line }) => line.isManual)
  const ask = (how: OrderAct) => (mayOrder ? setAct(how) : notice(undefined, `Customer ${number}`))
  const addReason = isFull
    ? 'The order exceeds the available balance.'
    : lines.length >= MAX_LINES
      ? `An order has ${MAX_LINES} lines at most.`
      : undefined
  return (
    <>
      {order.conflict && <DraftConflict conflict={order.conflict} onSaveAsNew={() => setIsKeeping(true)} />}
      {lines.length > 0 && (
        <table className={classes.lines} aria-label="Products to order">
          <thead>
            <tr>
              {HEADS.map(([head, width]) => (
                <th
                  key={head}
                  scope="col"
                  data-figure={head.endsWith('Cost') || undefined}
                  style={width ? { width } : undefined}
                >
                  {head}
                </th>
              ))}
              <td style={{ width: '2.75rem' }} />
            </tr>
          </thead>
          <tbody>
            {lines.map(({ key, line, note, refusal }, index) => (
              <OrderLineRow
                key={key}
                line={line}
                place={index + 1}
                contract={contract}
                today={info.today}
                isBusops={isBusops}
                isLocked={isSaving}
                error={errors[index]}
                isRefused={refusal !== undefined}
                note={note}
                onChange={(next, field) => order.editing.change(key, next, field)}
                onRemove={() => order.editing.remove(key)}
              />
            ))}
          </tbody>
        </table>
      )}
      <Group gap="0.5rem" align="normal">
        {contract.products.length > 0 && (
          <ReasonTooltip reason={addReason}>
            <Button variant="default" leftSection={<IconPlus size={16} aria-hidden />} onClick={order.editing.add}>
              Add product
            </Button>
          </ReasonTooltip>
        )}
        {isBusops && (
          <ReasonTooltip reason={addReason}>
            <Button
              variant="default"
              leftSection={<IconPlus size={16} aria-hidden />}
              onClick={order.editing.addManual}
            >
              Add manual entry
            </Button>
          </ReasonTooltip>
        )}
      </Group>
      <Group gap="0.5rem" align="normal">
        <Button variant="default" disabled={isSaving || !order.editing.canReset} onClick={order.editing.reset}>
          Reset
        </Button>
        <ReasonTooltip reason={order.editing.hasContent ? undefined : 'Choose a product first.'}>
          <Button variant="default" disabled={isSaving} onClick={() => setIsKeeping(true)}>
            Save as draft
          </Button>
        </ReasonTooltip>
        <span className={classes.spring} />
        {canActivate && (
          <ReasonTooltip reason={problem}>
            <Button variant="default" disabled={isSaving} onClick={() => ask('OrderAndActivate')}>
              Order and Activate
            </Button>
          </ReasonTooltip>
        )}
        <ReasonTooltip reason={problem}>
          <Button disabled={isSaving} onClick={() => ask('Order')}>
            Order Now
          </Button>
        </ReasonTooltip>
      </Group>
      {isKeeping && <SaveDraftDialog order={order} fsaId={chosen.fsaID} onClose={() => setIsKeeping(false)} />}
      {act && (
        <ConfirmOrderDialog
          act={act}
          contract={contract}
          lines={lines}
          decision={decision}
          onClose={() => setAct(undefined)}
          onConfirm={() => {
            setAct(undefined)
            order.place(act)
          }}
        />
      )}
    </>
  )
}

function contractLabel(contract: WireContract): string {
  const left = `${formatDecimal(contract.available, 2)} ${contract['CA[ENT|ansyscurrency]']} left`
  return `${contract.EntitlementID} · ends ${contract.EndDate} · ${left}`
}
