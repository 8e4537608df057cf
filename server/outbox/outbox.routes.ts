import { failedMessageList, resendMessage } from '#contract/outbox/failed-messages.ts'
import { BusinessRefusal, HttpError } from '#server/http/http-error.ts'
import type { Call, Result, Route } from '#server/operations/route.ts'
import { routeList } from '#server/operations/route-list.ts'
import { toMessage } from '#server/outbox/deliver-message.ts'
import { failedMessageSource } from '#server/outbox/failed-message.list.ts'
import type { AnyLane, Lane } from '#server/outbox/lane.ts'
import { findMessageToResend, type MessageRow, requeueMessage } from '#server/outbox/outbox.queries.ts'

export function outboxRoutes(route: Route, lanes: readonly AnyLane[]): void {
  routeList(route, failedMessageList, { source: failedMessageSource, scope: () => ({}) })
  route(resendMessage, (call) => resend(call, lanes))
}

async function resend(
  call: Call<typeof resendMessage>,
  lanes: readonly AnyLane[],
): Promise<Result<typeof resendMessage>> {
  const { db, now, params } = call
  const row = await findMessageToResend(db, params.id)
  const lane = lanes.find((one) => one.lane === row?.lane) as Lane | undefined
  if (!row || !lane) throw new HttpError(404, 'There is no such message')
  if (row.state !== 'failed')
    throw new BusinessRefusal('MESSAGE_NOT_FAILED', 'Only a message that could not be delivered can be sent again.')
  await refuseWithoutRight(call, lane, row)
  await requeueMessage(db, row.id, now)
  await lane.recordResend?.(db, toMessage(row))
  const { attempts, trouble } = row
  await call.audit({
    customerNumber: accountOf(row),
    target: row.id,
    before: { lane: lane.lane, attempts, trouble },
  })
  return { data: null }
}

async function refuseWithoutRight(call: Call<typeof resendMessage>, lane: Lane, row: MessageRow): Promise<void> {
  const { actor, db } = call
  const decision = await lane.mayResend?.(db, actor, toMessage(row))
  if (!decision || decision.allowed) return
  const error = new HttpError(decision.hidden ? 404 : 403, decision.reason)
  await call.refuse(error, { customerNumber: accountOf(row), target: row.id })
}

const accountOf = ({ payload }: MessageRow) => (payload as { customerNumber?: string }).customerNumber
