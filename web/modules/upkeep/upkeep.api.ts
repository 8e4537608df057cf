import { queryOptions } from '@tanstack/react-query'
import type { Upkeep } from '#contract/upkeep/upkeep.ts'
import { call } from '#web/lib/api-client.ts'

const REFRESH = 10_000

export const upkeepQuery = queryOptions({
  queryKey: ['upkeep'],
  queryFn: ({ signal }) => call('upkeep', { signal }),
  refetchInterval: REFRESH,
})

export type PinLock = NonNullable<Upkeep['locks']>[number]
export type FailedMessage = NonNullable<Upkeep['messages']>['failed'][number]

export function sendAgain(id: string, idempotencyKey: string) {
  return call('outbox/resend', { params: { id }, idempotencyKey })
}

export function unlock({ customerNumber, serverId, externalIp }: PinLock, idempotencyKey: string) {
  return call('elastic/unlockpin', { body: { customerNumber, serverId, externalIp }, idempotencyKey })
}
