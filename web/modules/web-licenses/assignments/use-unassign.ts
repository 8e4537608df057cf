import type { AssignmentLine } from '#contract/web-licenses/web-assignments.ts'
import { useSave } from '#web/form/use-save.ts'
import { ask } from '#web/lib/api/api-client.ts'
import { BatchError } from '#web/lib/api/api-error.ts'
import { useKnownCustomer } from '#web/lib/customer.tsx'
import { countText } from '#web/lib/format.ts'
import { hasRefused, showRefusedLines } from '#web/modules/web-licenses/line-results.tsx'
import { namesText } from '#web/modules/web-licenses/users/names-text.ts'
import { useReload } from '#web/modules/web-licenses/web-licenses.api.ts'
import { confirm } from '#web/ui/dialogs/confirm.tsx'

const ENDS_CHECKOUTS = 'Checkouts that run on these seats end at once. Unsaved work in them may be lost.'

type Batch = { activationIds: string[]; emails?: string[]; groupIds?: string[] }
type Pair = { activationId: string; product: string }

/** Takes assignments back, after a confirmation. Pairs of several entitlements are sent entitlement by entitlement. */
export function useUnassign(onDone: () => void) {
  const { number } = useKnownCustomer()
  const reload = useReload(number)
  const { save, isSaving } = useSave({
    send: async (batches: readonly Batch[], key) => {
      const lines: AssignmentLine[] = []
      for (const [at, batch] of batches.entries()) {
        const sent = ask('web/unassign', { body: { customerNumber: number, ...batch }, idempotencyKey: `${key}-${at}` })
        const { data } = await (batches.length > 1 ? sent.catch(refusedBatch) : sent)
        lines.push(...data)
      }
      return lines
    },
    success: (lines) => (hasRefused(lines) ? undefined : doneText(lines.length)),
    notDone: 'Nothing was changed.',
    async onSaved(lines) {
      await reload()
      onDone()
      if (hasRefused(lines))
        showRefusedLines(lines, ({ email, groupId, activationId }) => `${email ?? groupId} · ${activationId}`)
    },
  })
  const confirmed = async (whom: string, from: string, batches: readonly Batch[]) => {
    if (await confirm(`Unassign ${whom} from ${from}? ${ENDS_CHECKOUTS}`, 'Unassign')) save(batches)
  }
  return {
    isSaving,
    /** Keys of seats: `activation id, blank, email`. `shown` are rows of the table, for the name of the product. */
    users: (keys: readonly string[], shown: readonly Pair[]) => {
      const byEntitlement = Map.groupBy(keys, (key) => key.slice(0, key.indexOf(' ')))
      const batches = [...byEntitlement].map(([activationId, own]) => ({
        activationIds: [activationId],
        emails: own.map(emailOf),
      }))
      const [only, ...others] = [...byEntitlement.keys()]
      const product = shown.find(({ activationId }) => activationId === only)?.product ?? only ?? ''
      const from = others.length > 0 ? `${countText(byEntitlement.size)} entitlements` : product
      return confirmed(namesText([...new Set(keys.map(emailOf))]), from, batches)
    },
    group: ({ activationId, groupId, group, product }: Pair & { groupId: string; group: string }) =>
      confirmed(`the group “${group}”`, product, [{ activationIds: [activationId], groupIds: [groupId] }]),
  }
}

const emailOf = (key: string) => key.slice(key.indexOf(' ') + 1)
/** One of several batches: the others may have been done, so its lines are shown with theirs. */
function refusedBatch(error: unknown): { data: readonly AssignmentLine[] } {
  if (error instanceof BatchError) return { data: error.lines as readonly AssignmentLine[] }
  throw error
}
const doneText = (count: number) =>
  count === 1 ? 'The license has been unassigned.' : `${countText(count)} licenses have been unassigned.`
