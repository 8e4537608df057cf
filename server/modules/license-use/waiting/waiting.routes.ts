import * as waiting from '#contract/license-use/waiting/waiting.ts'
import { advanceAllLines } from '#server/modules/license-use/waiting/advance-lines.ts'
import { askHolder } from '#server/modules/license-use/waiting/ask-holder.ts'
import { joinLine } from '#server/modules/license-use/waiting/join-line.ts'
import { sendMetrics } from '#server/modules/license-use/waiting/metrics.ts'
import { getPlace, leaveLine, setPriority } from '#server/modules/license-use/waiting/places.ts'
import { waitingSource } from '#server/modules/license-use/waiting/waiting.list.ts'
import { csvListAnswer } from '#server/operations/file-answer.ts'
import type { Call, Route } from '#server/operations/route.ts'
import { routeList } from '#server/operations/route-list.ts'
import { defineJob } from '#server/tasks/job.ts'

type ListCall = { readonly actor: { readonly email: string }; readonly standing: { readonly customerNumber: string } }
const scopeOf = ({ actor, standing }: ListCall) => ({ customerNumber: standing.customerNumber, email: actor.email })

export function waitingRoutes(route: Route): void {
  routeList(route, waiting.waitingList, {
    source: waitingSource,
    scope: scopeOf,
    exportCsv: exportLines,
  })
  route(waiting.joinLine, joinLine)
  route(waiting.getPlace, getPlace)
  route(waiting.leaveLine, leaveLine)
  route(waiting.setPriority, setPriority)
  route(waiting.askHolder, askHolder)
  route(waiting.getMetrics, sendMetrics)
}

function exportLines(call: Call<typeof waiting.waitingList.exportCsv>) {
  const fileName = `license-waiting_${call.standing.customerNumber}.csv`
  return csvListAnswer(call, fileName, {
    source: waitingSource,
    scope: scopeOf(call),
    columns: waiting.WAITING_COLUMNS,
  })
}

export const linesJob = defineJob({
  queue: 'license-use-lines',
  cron: '* * * * *',
  run: (_data, services, { signal }) => advanceAllLines(services, signal),
})
