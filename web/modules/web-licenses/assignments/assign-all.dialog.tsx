import { Button, Group, Text } from '@mantine/core'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { MAX_PAGE } from '#contract/kit/list.ts'
import type { WebEntitlement } from '#contract/web-licenses/web-lists.ts'
import { freeSeatsFor } from '#domain/web-licenses/give-seat.ts'
import { randomKey, useSave } from '#web/form/use-save.ts'
import { ask } from '#web/lib/api/api-client.ts'
import { unsavedText } from '#web/lib/api/api-error.ts'
import { useKnownCustomer } from '#web/lib/customer.tsx'
import { countOf } from '#web/lib/format.ts'
import { toOffered, useText } from '#web/modules/web-licenses/assignments/offered.ts'
import { hasRefused, showRefusedLines } from '#web/modules/web-licenses/line-results.tsx'
import { keyOf, sendUsers, useReload } from '#web/modules/web-licenses/web-licenses.api.ts'
import { Dialog } from '#web/ui/dialogs/dialog.tsx'
import { FailureNotice } from '#web/ui/failure-notice.tsx'
import { showPanel } from '#web/ui/panels.ts'
import { ReasonTooltip } from '#web/ui/reason-tooltip.tsx'
import { SignalStrip } from '#web/ui/signal-strip.tsx'
import { Spinner } from '#web/ui/spinner.tsx'

type Props = { wanted: readonly { readonly product: string; readonly user: string }[]; onClose(): void }
type Lines = Awaited<ReturnType<typeof sendUsers>>

/** Assigns every denied person for whom a seat is free, and names those without one. */
export function AssignAllDialog({ wanted, onClose }: Props) {
  const { number, info } = useKnownCustomer()
  const queries = useQueryClient()
  const reload = useReload(number)
  const { data, error, refetch } = useQuery(licensesQuery(number, [...new Set(wanted.map(({ product }) => product))]))
  const reloadAll = () => Promise.all([reload(), queries.invalidateQueries({ queryKey: ['home'] })])
  const rows = data && freeSeatsFor(wanted, data, info.today)
  const users = Map.groupBy(rows?.filter(({ license }) => license) ?? [], ({ user }) => user)
  const count = countOf(users.size, 'user')
  const { save, isSaving, ...saving } = useSave<void, Lines>({
    send: (_, key) =>
      sendUsers(
        {
          customerNumber: number,
          users: [...users].map(([email, own]) => ({
            email,
            entitlements: own.flatMap(({ license }) => license?.activationId ?? []),
          })),
        },
        key,
      ),
    success: (lines) => (hasRefused(lines) ? undefined : `${count} can check out.`),
    async onSaved(lines) {
      onClose()
      if (hasRefused(lines)) showRefusedLines(lines, ({ email }) => email)
      await reloadAll()
    },
    onFailed: () => true,
    undo: (lines) => void takeBack(lines),
  })
  const takeBack = async (lines: Lines) => {
    const given = lines.flatMap(({ email, assigns }) => assigns.map(({ activationId }) => ({ activationId, email })))
    try {
      for (const [id, own] of Map.groupBy(given, ({ activationId }) => activationId)) {
        const body = { customerNumber: number, activationIds: [id], emails: own.map(({ email }) => email) }
        await ask('web/unassign', { body, idempotencyKey: randomKey() })
      }
      showPanel('success', 'The change was taken back.')
    } catch (failure) {
      showPanel('error', unsavedText(failure as Error, 'Not all seats were taken back.'))
    }
    await reloadAll()
  }
  return (
    <Dialog onClose={onClose} title="Assign web licenses" size={720}>
      {error ? (
        <FailureNotice failure={error} onRetry={refetch} />
      ) : !rows ? (
        <Spinner />
      ) : (
        <div className="scrolling-table">
          <table className="plain-table">
            <thead>
              <tr>
                <th>User</th>
                <th>Product</th>
                <th>License</th>
              </tr>
            </thead>
            <tbody>
              {rows.map(({ user, product, license }) => (
                <tr key={`${user} ${product}`}>
                  <td>{user}</td>
                  <td>{product}</td>
                  <td>{license ? useText(license) : 'No free seat'}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {rows?.some(({ license }) => !license) && (
        <Text size="sm" mt="sm">
          Where no seat is free, nothing changes. Close this, open the line of the person and choose Assign to move a
          seat.
        </Text>
      )}
      {saving.error && (
        <SignalStrip signal="red" role="alert">
          {unsavedText(saving.error, 'Nobody was assigned.')}
        </SignalStrip>
      )}
      <Group justify="flex-end" mt="lg" gap="xs">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <ReasonTooltip
          reason={!rows ? 'The licenses are still loading.' : users.size === 0 ? 'No seat is free.' : undefined}
        >
          <Button data-autofocus loading={isSaving} onClick={() => save()}>
            {users.size === 0 ? 'Assign' : `Assign ${count}`}
          </Button>
        </ReasonTooltip>
      </Group>
    </Dialog>
  )
}

function licensesQuery(customerNumber: string, products: readonly string[]) {
  return queryOptions({
    queryKey: [...keyOf(customerNumber), 'licenses of products', products],
    queryFn: async ({ signal }) => {
      const { data } = await ask('web/entitlements', {
        body: { customerNumber, filter: anyOf(products), limit: MAX_PAGE },
        signal,
      })
      return (data as WebEntitlement[]).map((row) => toOffered(row, false))
    },
  })
}

const anyOf = (products: readonly string[]) => ({
  condition: 'ANY' as const,
  criteria: products.map((value) => ({ name: 'product', method: 'EQUALS' as const, value })),
})
