import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { downloadTask, type Task } from '#contract/tasks/tasks.ts'
import { readTaskFile, TaskGoneError, taskFileWriter } from '#server/tasks/task-file.ts'
import { type Portal, signIn, startPortal } from '#server/testing/portal.ts'
import { startPortalProcess } from '#server/testing/portal-process.ts'
import { exportsAs } from '#server/testing/usage-exports.ts'

const CUSTOMER = '100001'
const VIC = 'vic.viewer@aerodyne.example'
const MEGABYTE = 1024 * 1024

let portal: Portal
beforeAll(async () => {
  portal = await startPortal()
})
afterAll(() => portal.close())

async function taskOf(bytes: number) {
  const { id, attempt } = await portal.db
    .insertInto('background_task')
    .values({
      customer_number: CUSTOMER,
      kind: 'usage-export',
      requested_by: VIC,
      request: '{}',
      file_name: 'usage.csv',
      state: 'ready',
      bytes: String(bytes),
      requested_at: portal.clock.now(),
      kept_until: new Date(portal.clock.now().getTime() + 1000),
    })
    .returning(['id', 'attempt'])
    .executeTakeFirstOrThrow()
  return { customerNumber: CUSTOMER, id, attempt }
}

/** Written in parts of odd lengths, in a buffer that is used again. */
async function writeFile(run: Awaited<ReturnType<typeof taskOf>>, content: Buffer) {
  const file = taskFileWriter(portal.db, run)
  const part = Buffer.alloc(300_007)
  for (let from = 0; from < content.length; from += part.length) {
    const length = content.copy(part, 0, from)
    await file.write(part.subarray(0, length))
  }
  await file.finish()
}

test.each([0, 1, MEGABYTE, 3 * MEGABYTE + 17])('a file of %i bytes is read as it was written', async (size) => {
  const content = randomBytes(size)
  const run = await taskOf(size)
  await writeFile(run, content)
  const pieces: Buffer[] = []
  for await (const piece of readTaskFile(portal.db, run, size)) pieces.push(piece)
  expect(Buffer.concat(pieces).equals(content)).toBe(true)
  const { count } = await portal.db
    .selectFrom('task_piece')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('task_id', '=', run.id)
    .executeTakeFirstOrThrow()
  expect(Number(count)).toBe(Math.max(1, Math.ceil(size / MEGABYTE)))
})

test('a task that is deleted while its file is written stops the writer, and nothing stays', async () => {
  const run = await taskOf(0)
  const file = taskFileWriter(portal.db, run)
  await file.write(Buffer.alloc(MEGABYTE))
  await portal.db.deleteFrom('background_task').where('id', '=', run.id).execute()
  await expect(file.write(Buffer.alloc(MEGABYTE))).rejects.toThrow(TaskGoneError)
  expect(await portal.db.selectFrom('task_piece').selectAll().where('task_id', '=', run.id).execute()).toEqual([])
})

test('a file that is deleted during its download breaks off the download', async () => {
  const size = 40 * MEGABYTE
  const run = await taskOf(size)
  await writeFile(run, Buffer.alloc(size, 'a'))
  await portal.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = portal.app.server.address() as AddressInfo
  const cookie = await signIn(portal.app, VIC)
  const path = `${downloadTask.path.replace(':id', run.id)}?customerNumber=${CUSTOMER}`
  const request = http.get({ host: '127.0.0.1', port, path, headers: { cookie } })
  const [answer] = (await once(request, 'response')) as [http.IncomingMessage]
  expect(answer.statusCode).toBe(200)
  expect(answer.headers['content-length']).toBe(String(size))
  await portal.db.deleteFrom('task_piece').where('task_id', '=', run.id).where('number', '>', 30).execute()
  answer.resume()
  const [error] = (await once(answer, 'error')) as [Error]
  expect(error.message).toBe('aborted')
})

test('a file that one portal has made is served by another one with another data directory', async () => {
  const vic = await exportsAs(portal, VIC, CUSTOMER)
  const { id } = (await vic.start()) as Task
  const { bytes } = await vic.finish(id)
  const { text } = (await vic.download(id)).body
  const cookie = await signIn(portal.app, VIC)
  const other = await startPortalProcess(portal.connection)
  onTestFinished(() => other.kill())
  const answer = await fetch(`${other.origin}${downloadTask.path.replace(':id', id)}?customerNumber=${CUSTOMER}`, {
    headers: { cookie },
  })
  expect(answer.status).toBe(200)
  expect(Number(answer.headers.get('content-length'))).toBe(bytes)
  // Compares bytes: `text()` would remove the byte order mark at the beginning of the file.
  expect(Buffer.from(await answer.arrayBuffer()).toString()).toBe(text)
})
