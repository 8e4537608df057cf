import { useSave } from '#web/form/use-save.ts'
import { useKnownCustomer } from '#web/lib/customer.tsx'
import { countText } from '#web/lib/format.ts'
import { showLineResults } from '#web/modules/web-licenses/line-results.tsx'
import { sendUnassign, useReload } from '#web/modules/web-licenses/web-licenses.api.ts'
import { confirm } from '#web/ui/dialogs/confirm.tsx'

const ENDS_CHECKOUTS = 'Checkouts that run on these seats end at once. Unsaved work in them may be lost.'

/** Takes assignments back, after a confirmation. Pairs of several entitlements are sent entitlement by entitlement. */
export function useUnassign(onDone: () => void) {
  const { number } = useKnownCustomer()
  const reload = useReload(number)
  const { save, isSaving } = useSave({
    send: async (batches: readonly Batch[], key) => {
      const answers = []
      for (const [at, batch] of batches.entries())
        answers.push(await sendUnassign({ customerNumber: number, ...batch }, `${key}-${at}`))
      return answers
    },
    success: 'The licenses have been unassigned.',
    notDone: 'Nothing was changed.',
    async onSaved(answers) {
      await reload()
      onDone()
      const lines = answers.flatMap(({ data }) => data)
      if (lines.some(({ status }) => status === 'FAILURE'))
        showLineResults(lines, '', ({ email, groupId, activationId }) => `${email ?? groupId} · ${activationId}`)
    },
  })
  const ask = async (count: number, what: string, batches: readonly Batch[]) => {
    const question = `Unassign ${countText(count)} ${what}? ${ENDS_CHECKOUTS}`
    if (await confirm(question, 'Unassign')) save(batches)
  }
  return {
    isSaving,
    /** Keys of seats: `activation id, blank, email`. */
    users: (keys: readonly string[]) => {
      const byEntitlement = Map.groupBy(keys, (key) => key.slice(0, key.indexOf(' ')))
      const batches = [...byEntitlement].map(([activationId, own]) => ({
        activationIds: [activationId],
        emails: own.map((key) => key.slice(key.indexOf(' ') + 1)),
      }))
      return ask(keys.length, keys.length === 1 ? 'user' : 'users', batches)
    },
    group: (activationId: string, groupId: string) =>
      ask(1, 'group', [{ activationIds: [activationId], groupIds: [groupId] }]),
  }
}

type Batch = { activationIds: string[]; emails?: string[]; groupIds?: string[] }
