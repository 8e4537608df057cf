import { isNodeLost } from '#server/db/database-errors.ts'
import { refreshAccountCopy } from '#server/scale-out/account-copy.queries.ts'
import { defineJob } from '#server/tasks/job.ts'

/** Of sharded installations only. */
export const accountCopyJob = defineJob({
  queue: 'account-copy',
  cron: '* * * * *',
  async run(_data, { db }, { signal }) {
    await refreshAccountCopy(db, signal).catch((error: unknown) => {
      // The copy stays as it was until the node is back.
      if (!isNodeLost(error)) throw error
    })
  },
})
