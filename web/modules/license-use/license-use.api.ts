import { queryOptions } from '@tanstack/react-query'
import { type ReadReport, UPLOAD_PART } from '#contract/license-use/uploads.ts'
import type { DayRange } from '#domain/calendar/day-range.ts'
import { FOR_A_FORM } from '#web/form/for-a-form.ts'
import { call, fetchFile } from '#web/lib/api/api-client.ts'

type Scope = { readonly customerNumber: string; readonly serverId: string | undefined; readonly days: DayRange }

export const bodyOf = ({ customerNumber, serverId, days: { from, to } }: Scope) => ({
  customerNumber,
  from,
  to,
  ...(serverId === undefined ? {} : { serverId }),
})

export const LICENSE_USE_KEY = 'license-use'

export function licenseUseQuery(scope: Scope) {
  const body = bodyOf(scope)
  return queryOptions({
    queryKey: [LICENSE_USE_KEY, body],
    queryFn: ({ signal }) => call('license-use', { body, signal }),
  })
}

export function featureUseQuery(
  customerNumber: string,
  { serverId, feature }: { serverId: string; feature: string },
  { from, to }: DayRange,
  day: string | undefined,
) {
  const body = { customerNumber, serverId, feature, from, to, ...(day ? { day } : {}) }
  return queryOptions({
    queryKey: [LICENSE_USE_KEY, 'feature', body],
    queryFn: ({ signal }) => call('license-use/feature', { body, signal }),
  })
}

export function settingsQuery(customerNumber: string) {
  return queryOptions({
    queryKey: [LICENSE_USE_KEY, 'settings', customerNumber],
    queryFn: ({ signal }) => call('license-use/settings', { body: { customerNumber }, signal }),
    ...FOR_A_FORM,
  })
}

const POLL_INTERVAL = 500

/** Sends a file in parts and waits until it is read. Memory holds one part. `progress` is a share of both, 0 to 1. */
export async function uploadLog(
  { customerNumber, serverId }: { customerNumber: string; serverId: string },
  file: File,
  progress: (share: number, what: string) => void,
): Promise<ReadReport> {
  const uploadId = crypto.randomUUID()
  for (let position = 0; position < file.size; position += UPLOAD_PART) {
    progress((0.5 * position) / file.size, 'Sending the file')
    const part = new Uint8Array(await file.slice(position, position + UPLOAD_PART).arrayBuffer())
    await call('license-use/uploads/part', {
      body: { customerNumber, uploadId, position: String(position), file: part },
    })
  }
  const body = { customerNumber, serverId, uploadId, fileName: file.name, size: file.size }
  let task = await call('license-use/uploads/start', { body })
  while (task.state === 'waiting' || task.state === 'running') {
    progress(0.5 + (task.total ? (0.5 * task.done) / task.total : 0), 'Reading the file')
    await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL))
    task = await call('tasks/status', { params: { id: task.id }, query: { customerNumber } })
  }
  if (task.state !== 'ready') throw new Error(task.failure ?? 'The file could not be read.')
  const report = await fetchFile('tasks/file', { params: { id: task.id }, query: { customerNumber } })
  return JSON.parse(await report.text()) as ReadReport
}
