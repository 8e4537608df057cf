import { Anchor, Button, Group, Radio, Select, Stack, Text } from '@mantine/core'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { MAX_PAGE } from '#contract/kit/list.ts'
import type { WebEntitlement, WebSeat } from '#contract/web-licenses/web-lists.ts'
import { CHECKOUT_REFUSALS } from '#domain/web-licenses/checkout.ts'
import { seatGivers, waysToSeat } from '#domain/web-licenses/give-seat.ts'
import { randomKey, useSave } from '#web/form/use-save.ts'
import { PortalLink } from '#web/lib/address/portal-link.tsx'
import { ask } from '#web/lib/api/api-client.ts'
import { unsavedText } from '#web/lib/api/api-error.ts'
import { useKnownCustomer } from '#web/lib/customer.tsx'
import { type Offered, toOffered, useText } from '#web/modules/web-licenses/assignments/offered.ts'
import { keyOf, sendAssign, sendUsers, useReload } from '#web/modules/web-licenses/web-licenses.api.ts'
import { Dialog } from '#web/ui/dialogs/dialog.tsx'
import { FailureNotice } from '#web/ui/failure-notice.tsx'
import { showPanel } from '#web/ui/panels.ts'
import { ReasonTooltip } from '#web/ui/reason-tooltip.tsx'
import { SignalStrip } from '#web/ui/signal-strip.tsx'
import { Spinner } from '#web/ui/spinner.tsx'

type Props = { product: string; user: string; onClose(): void }
type Chosen = {
  readonly activationId: string
  readonly giver: string | undefined
  /** The user was assigned before, and only waits for a seat to be free. */
  readonly isOwn: boolean
}

/** Gives a denied user a seat of the product: a free one, or one that somebody else gives up. */
export function GiveSeatDialog({ product, user, onClose }: Props) {
  const { number, info } = useKnownCustomer()
  const queries = useQueryClient()
  const reload = useReload(number)
  const { data, error, refetch } = useQuery(seatsQuery(number, product, user))
  const [chosenId, setChosenId] = useState<string>()
  const [chosenGiver, setChosenGiver] = useState<string | null>()
  const reloadAll = async () => {
    await Promise.all([reload(), queries.invalidateQueries({ queryKey: ['home'] })])
  }
  const saving = useSave({
    send: async ({ activationId, giver }: Chosen, key) => {
      if (giver === undefined)
        return sendUsers({ customerNumber: number, users: [{ email: user, entitlements: [activationId] }] }, key)
      if (!data?.isKnown) await sendUsers({ customerNumber: number, users: [{ email: user }] }, `${key}-user`)
      return sendAssign(
        { customerNumber: number, activationIds: [activationId], emails: [user], insteadOf: giver },
        key,
      )
    },
    success: `${user} can check out ${product}.`,
    onSaved: async () => {
      onClose()
      await reloadAll()
    },
    onFailed: () => true,
    undo: (_, chosen) => void takeBack(chosen),
  })
  const takeBack = async ({ activationId, giver, isOwn }: Chosen) => {
    const body = { customerNumber: number, activationIds: [activationId] }
    try {
      if (giver === undefined)
        await ask('web/unassign', { body: { ...body, emails: [user] }, idempotencyKey: randomKey() })
      else await sendAssign({ ...body, emails: [giver], ...(!isOwn && { insteadOf: user }) }, randomKey())
      showPanel('success', 'The change was taken back.')
    } catch (failure) {
      showPanel('error', unsavedText(failure as Error, 'The seat was not given back.'))
    }
    await reloadAll()
  }
  const found = data && waysToSeat(data.entitlements, info.today)
  const ways = found && !found.isSettled ? found.ways : []
  const way = ways.find(({ entitlement }) => entitlement.activationId === chosenId) ?? ways[0]
  const givers =
    data && way?.seat === 'taken'
      ? seatGivers(
          way.entitlement.kind,
          data.seats.filter(({ activationId }) => activationId === way.entitlement.activationId),
          user,
        )
      : []
  const giver = givers.find(({ email }) => email === chosenGiver) ?? givers[0]
  const isMove = way?.seat === 'taken'
  const settled = !found
    ? undefined
    : found.isSettled
      ? `A seat is free: ${user} can check out ${product} now.`
      : ways.length === 0
        ? `${CHECKOUT_REFUSALS.ENTITLEMENT_EXPIRED} A seat can be assigned once it has been renewed.`
        : undefined
  return (
    <Dialog
      onClose={onClose}
      title={isMove ? 'Move a seat' : settled ? `Seats of ${product}` : 'Assign a seat'}
      size={560}
    >
      {error ? (
        <FailureNotice failure={error} onRetry={refetch} />
      ) : !data ? (
        <Spinner />
      ) : settled ? (
        <Text>{settled}</Text>
      ) : (
        <Stack gap="0.75rem">
          <Text>
            <strong>{user}</strong> gets a seat of <strong>{product}</strong>.
            {!data.isKnown && ' The user is added to the web users of the account.'}
          </Text>
          <Radio.Group
            label="License"
            value={way?.entitlement.activationId ?? null}
            onChange={(id) => {
              setChosenId(id)
              setChosenGiver(undefined)
            }}
          >
            <Stack gap="0.5rem" mt="0.25rem">
              {ways.map(({ entitlement }) => (
                <Radio
                  key={entitlement.activationId}
                  value={entitlement.activationId}
                  label={useText(entitlement)}
                  description={endText(entitlement)}
                />
              ))}
            </Stack>
          </Radio.Group>
          {isMove && giver && (
            <Select
              label="Take the seat from"
              searchable
              allowDeselect={false}
              data={givers.map((one) => ({ value: one.email, label: giverText(one) }))}
              value={giver.email}
              onChange={setChosenGiver}
              nothingFoundMessage="Nobody with this name has a seat."
              limit={100}
              comboboxProps={{ withinPortal: true }}
              description={
                giver.running > 0
                  ? 'The user loses this license, and the running checkout ends at once. Unsaved work in it may be lost.'
                  : 'The user loses this license. Nothing is checked out on the seat now.'
              }
              inputWrapperOrder={['label', 'input', 'description', 'error']}
            />
          )}
          {isMove && !giver && (
            <Text>
              All seats are in use by members of groups. Change the groups in{' '}
              <Anchor inherit component={PortalLink} to="/web-assignments?tab=groups">
                Assignments
              </Anchor>
              .
            </Text>
          )}
          {saving.error && (
            <SignalStrip signal="red" role="alert">
              {unsavedText(saving.error, 'No seat was changed.')}
            </SignalStrip>
          )}
        </Stack>
      )}
      <Group justify="flex-end" mt="lg" gap="xs">
        <Button variant="default" onClick={onClose}>
          {settled ? 'Close' : 'Cancel'}
        </Button>
        {!settled && (
          <ReasonTooltip
            reason={!way ? 'The seats are still loading.' : isMove && !giver ? 'Nobody can give a seat up.' : undefined}
          >
            <Button
              data-autofocus
              loading={saving.isSaving}
              onClick={() =>
                way &&
                saving.save({
                  activationId: way.entitlement.activationId,
                  giver: isMove ? giver?.email : undefined,
                  isOwn: way.entitlement.isOwn,
                })
              }
            >
              {isMove ? 'Move seat' : 'Assign'}
            </Button>
          </ReasonTooltip>
        )}
      </Group>
    </Dialog>
  )
}

const endText = ({ endDate, activationId }: Offered) =>
  `${endDate === null ? 'Permanent' : `Ends ${endDate}`} · ${activationId}`

const giverText = ({ name, email, running }: WebSeat) =>
  `${name ? `${name} (${email})` : email} · ${running > 0 ? 'in use now' : 'not in use'}`

/** The licenses of a product with everybody who is assigned to them, and whether the denied user is known. */
function seatsQuery(customerNumber: string, product: string, user: string) {
  const equals = (name: string, value: string) => ({
    condition: 'ALL' as const,
    criteria: [{ name, method: 'EQUALS' as const, value }],
  })
  return queryOptions({
    queryKey: [...keyOf(customerNumber), 'seats of a product', product, user],
    queryFn: async ({ signal }) => {
      const pageOf = (name: string, value: string) => ({
        body: { customerNumber, filter: equals(name, value), limit: MAX_PAGE },
        signal,
      })
      const { data: rows } = await ask('web/entitlements', pageOf('product', product))
      const { data: seats } = await ask('web/seats', pageOf('product', product))
      const { data: users } = await ask('web/users', pageOf('email', user))
      const own = new Set(
        (seats as WebSeat[]).filter(({ email }) => email === user).map(({ activationId }) => activationId),
      )
      const entitlements = (rows as WebEntitlement[]).map((row) => toOffered(row, own.has(row.activationId)))
      return { entitlements, seats: seats as WebSeat[], isKnown: users.length > 0 }
    },
  })
}
