import { queryOptions } from '@tanstack/react-query'
import type { Upkeep } from '#contract/upkeep/upkeep.ts'
import { call } from '#web/lib/api/api-client.ts'
import { query } from '#web/lib/api/api-query.ts'

const REFRESH = 10_000

export const upkeepQuery = queryOptions({ ...query('upkeep'), refetchInterval: REFRESH })

export type PinLock = NonNullable<Upkeep['locks']>[number]
export type FailedMessage = NonNullable<Upkeep['messages']>['failed'][number]

export function unlock({ customerNumber, serverId, externalIp }: PinLock, idempotencyKey: string) {
  return call('elastic/unlockpin', { body: { customerNumber, serverId, externalIp }, idempotencyKey })
}
