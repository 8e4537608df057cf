import { Button, Group, NumberInput, Select, Stack, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { readContract } from '#contract/fsa/contracts.ts'
import { durationLabel } from '#domain/fsa/duration.ts'
import {
  blankLine,
  changeCount,
  changeDuration,
  changeProduct,
  type OrderLine,
  optionsOf,
} from '#domain/fsa/order-line.ts'
import { formatDecimal } from '#domain/money/decimal.ts'
import { MAX_QUANTITY } from '#domain/requests/request.ts'
import { useSave } from '#web/form/use-save.ts'
import { call } from '#web/lib/api/api-client.ts'
import { unsavedText } from '#web/lib/api/api-error.ts'
import { useKnownCustomer } from '#web/lib/customer.tsx'
import { wantedText } from '#web/modules/requests/request-columns.tsx'
import { type LicenseRequest, requestServersQuery, useReloadAfterDecision } from '#web/modules/requests/requests.api.ts'
import { type RequestItem, useRequestItems } from '#web/parts/requests/request-items.ts'
import { contractsQuery } from '#web/parts/spending-accounts.ts'
import { Dialog } from '#web/ui/dialogs/dialog.tsx'
import { Facts } from '#web/ui/facts.tsx'
import { SignalStrip } from '#web/ui/signal-strip.tsx'

type Props = { request: LicenseRequest; onClose(): void }
type Wanted = { readonly item: string; readonly target: string }
type Change = {
  readonly item?: string
  readonly target?: string
  readonly quantity?: number
  readonly order?: { readonly startDate: string; readonly endDate: string; readonly cost: string }
}

const termsOf = ({ startDate, endDate, cost }: OrderLine) => ({ startDate, endDate, cost: cost ?? '' })

/** Approves a request, which is done at once. What it asks for can be changed first. */
export function ApproveDialog({ request, onClose }: Props) {
  const { number } = useKnownCustomer()
  const reload = useReloadAfterDecision()
  const [wanted, setWanted] = useState<Wanted>({ item: request.item, target: request.target })
  const isAsAsked = wanted.item === request.item && wanted.target === request.target
  const [quantity, setQuantity] = useState<number | string>(request.quantity)
  const [endDate, setEndDate] = useState<string>()
  const seats = typeof quantity === 'number' && Number.isInteger(quantity) && quantity >= 1 ? quantity : undefined
  const order = useOrder(request, wanted, seats, endDate)
  const { save, isSaving, error } = useSave({
    send: (change: Change, key) => {
      const { id, revision } = request
      return call('requests/approve', {
        body: { customerNumber: number, id, revision, ...change },
        idempotencyKey: key,
      })
    },
    success: isAsAsked ? `${wantedText(request)}: approved and done.` : 'Approved, changed and done.',
    onSaved: async () => {
      onClose()
      await reload()
    },
    onFailed: () => true,
  })
  const approve = () =>
    save({
      ...(isAsAsked ? {} : wanted),
      ...(seats === undefined || seats === request.quantity ? {} : { quantity: seats }),
      ...(order ? { order: termsOf(order.line) } : {}),
    })
  return (
    <Dialog title="Approve the request" size={560} onClose={onClose}>
      <Stack gap="0.75rem">
        <Text>{wantedText(request)}.</Text>
        <Facts
          facts={[
            ['Requested by', request.requestedBy],
            ['Reason', request.reason],
          ]}
        />
        <ItemField request={request} wanted={wanted} onChange={setWanted} />
        {request.kind === 'web-license' && (
          <TextInput
            label="User"
            inputMode="email"
            maxLength={254}
            spellCheck={false}
            value={wanted.target}
            onChange={({ currentTarget: { value } }) => setWanted({ ...wanted, target: value })}
          />
        )}
        {request.kind === 'seats' && (
          <ServerField
            request={request}
            target={wanted.target}
            onChange={(target) => setWanted({ ...wanted, target })}
          />
        )}
        {request.kind !== 'web-license' && (
          <NumberInput
            label="Seats"
            value={quantity}
            onChange={setQuantity}
            min={1}
            max={MAX_QUANTITY}
            allowDecimal={false}
            error={seats === undefined ? 'Enter a whole number of seats.' : undefined}
          />
        )}
        {order && (
          <>
            <Select
              label="Duration"
              allowDeselect={false}
              data={order.options.map(({ duration, endDate: value }) => ({
                value,
                label: `${durationLabel(duration)} · until ${value}`,
              }))}
              value={order.line.endDate}
              onChange={(value) => value && setEndDate(value)}
            />
            <Text>
              Cost: {formatDecimal(order.line.cost ?? '0', 2)} {order.currency}. Available:{' '}
              {formatDecimal(order.available, 2)} {order.currency}.
            </Text>
          </>
        )}
        {error && (
          <SignalStrip signal="red" role="alert">
            {unsavedText(error, 'Nothing was done, and the request is still open.')}
          </SignalStrip>
        )}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button loading={isSaving} disabled={seats === undefined} onClick={approve} data-autofocus>
            Approve
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}

/** Another entitlement can be taken than the one that was asked for, or another product or contract for an order. */
function ItemField({
  request,
  wanted,
  onChange,
}: {
  request: LicenseRequest
  wanted: Wanted
  onChange(wanted: Wanted): void
}) {
  const { data: items = [] } = useRequestItems(request.kind)
  const isOf =
    ({ item, target }: Wanted) =>
    (one: RequestItem) =>
      one.item === item && (one.target ?? target) === target
  const options = items.map((one) => ({ value: one.key, label: one.label }))
  const chosen = items.find(isOf(wanted))?.key ?? ''
  return (
    <Select
      label={request.kind === 'order' ? 'Product' : 'License'}
      data={items.some(isOf(request)) ? options : [{ value: '', label: request.product }, ...options]}
      value={chosen}
      allowDeselect={false}
      searchable
      onChange={(key) => {
        const { item, target } = items.find((one) => one.key === key) ?? request
        onChange({ item, target: target ?? wanted.target })
      }}
    />
  )
}

/** The seats can go to another license server than the one that was asked for. */
function ServerField({
  request,
  target,
  onChange,
}: {
  request: LicenseRequest
  target: string
  onChange(serverId: string): void
}) {
  const { number } = useKnownCustomer()
  const { data: servers = [] } = useQuery(requestServersQuery(number))
  const options = servers.map(({ id, name }) => ({ value: id, label: `${name} · ${id}` }))
  const isKnown = servers.some(({ id }) => id === request.target)
  return (
    <Select
      label="License server"
      data={isKnown ? options : [{ value: request.target, label: request.targetName }, ...options]}
      value={target}
      allowDeselect={false}
      searchable
      onChange={(serverId) => serverId && onChange(serverId)}
    />
  )
}

/** The order that the approval places, at the prices of today; undefined while the contract is not loaded. */
function useOrder(
  request: LicenseRequest,
  { item, target }: Wanted,
  count: number | undefined,
  endDate: string | undefined,
) {
  const { number, info } = useKnownCustomer()
  const isOrder = request.kind === 'order'
  const { data } = useQuery({ ...contractsQuery(number), enabled: isOrder })
  const wire = isOrder ? data?.find(({ fsaID }) => fsaID === target) : undefined
  if (!wire || count === undefined) return undefined
  const contract = readContract(wire)
  const first = changeProduct(blankLine(contract), item, contract, info.today)
  const options = optionsOf(first, contract)
  const chosen = options.find((option) => option.endDate === endDate)
  const line = changeCount(chosen ? changeDuration(first, chosen.duration, contract) : first, count)
  return { line, options, currency: contract.currency, available: wire.available }
}
