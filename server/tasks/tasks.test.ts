import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { deleteTask, downloadTask, getTask, listTasks, type Task } from '#contract/tasks/tasks.ts'
import { NOT_ENOUGH_PERMISSIONS } from '#domain/access/can.ts'
import type { TaskArea, TokenScope } from '#domain/tokens/token-areas.ts'
import type { Services } from '#server/services.ts'
import { taskJob } from '#server/tasks/run-task.ts'
import { defineTask } from '#server/tasks/task-kind.ts'
import { countTasks, failAbandonedTasks } from '#server/tasks/tasks.queries.ts'
import { giveApiToken } from '#server/testing/api-tokens.ts'
import { type Portal, startPortal } from '#server/testing/portal.ts'
import { ThreadError } from '#server/threads/thread-pool.ts'

const VIC = 'vic.viewer@aerodyne.example'
const ADA = 'ada.admin@aerodyne.example'
const query = { customerNumber: '100001' }

const kind = (name: string, action: 'elastic.read' | 'credentials.write', area: TaskArea) =>
  defineTask({
    kind: name,
    noun: 'report',
    action,
    area,
    mediaType: 'application/pdf',
    keptDays: 1,
    run: async () => {},
  })

let portal: Portal
beforeAll(async () => {
  portal = await startPortal(
    {},
    { tasks: [kind('open-report', 'elastic.read', 'usage'), kind('secret-report', 'credentials.write', 'audit')] },
  )
})
afterAll(() => portal.close())

/** A task that has failed, so that it needs no file. */
async function insertTask(
  email: string,
  name: string,
  state: 'failed' | 'ready' = 'failed',
  customerNumber = query.customerNumber,
): Promise<string> {
  const { id } = await portal.db
    .insertInto('background_task')
    .values({
      customer_number: customerNumber,
      kind: name,
      requested_by: email,
      request: '{}',
      file_name: 'report.pdf',
      state,
      failure: state === 'failed' ? 'person-quota' : null,
      requested_at: portal.clock.now(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

const listed = async (email: string, more: Record<string, string> = {}) => {
  const answer = await (await portal.as(email))(listTasks, { query: { ...query, ...more } })
  return answer.status === 200 ? (answer.body.data as Task[]).map((task) => task.kind).sort() : answer.status
}

describe('access to a task needs the right of its kind', () => {
  test('the list leaves out other kinds and refuses a filter by them', async () => {
    for (const email of [VIC, ADA]) for (const name of ['open-report', 'secret-report']) await insertTask(email, name)
    expect(await listed(ADA)).toEqual(['open-report', 'secret-report'])
    expect(await listed(ADA, { kind: 'secret-report' })).toEqual(['secret-report'])
    expect(await listed(VIC)).toEqual(['open-report'])
    expect(await listed(VIC, { kind: 'secret-report' })).toBe(403)
    expect(await listed(VIC, { kind: 'unknown-report' })).toEqual([])
    expect(await listed(VIC, { kind: 'Not A Kind' })).toBe(400)
  })

  test('the list of all accounts has the tasks of each account by the right on it', async () => {
    await portal.db.deleteFrom('background_task').execute()
    for (const account of ['100001', '100002']) {
      await insertTask(ADA, 'open-report', 'failed', account)
      await insertTask(VIC, 'open-report', 'failed', account)
    }
    const accounts = async (email: string, more: Record<string, string> = {}) => {
      const { body } = await (await portal.as(email))(listTasks, { query: more })
      return (body.data as Task[]).map((task) => task.customerNumber).sort()
    }
    expect(await accounts(ADA)).toEqual(['100001', '100002'])
    expect(await accounts(ADA, { customerNumber: '100002' })).toEqual(['100002'])
    expect(await accounts(VIC), 'an account that this person no longer sees').toEqual(['100001'])
    expect(await accounts(VIC, { kind: 'secret-report' })).toEqual([])
    expect(await accounts('ned.nobody@nowhere.example')).toEqual([])
  })

  test.each([getTask, downloadTask, deleteTask])('by $name, and the refusal is in the audit log', async (operation) => {
    const id = await insertTask(VIC, 'secret-report')
    const vic = await portal.as(VIC)
    expect(await vic(operation, { params: { id }, query })).toMatchObject({
      status: 403,
      body: { code: 'NOT_ALLOWED', err: NOT_ENOUGH_PERMISSIONS },
    })
    const last = await portal.db
      .selectFrom('audit_log')
      .select(['action', 'email', 'customer_number', 'outcome', 'reason'])
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    expect(last).toEqual({
      action: operation.name,
      email: VIC,
      customer_number: '100001',
      outcome: 'refused',
      reason: NOT_ENOUGH_PERMISSIONS,
    })
    const ada = await portal.as(ADA)
    expect((await ada(operation, { params: { id }, query })).status, 'somebody else’s task').toBe(404)
  })
})

describe('a token needs a scope of the area of the task', () => {
  const insertBoth = async () => {
    await portal.db.deleteFrom('background_task').execute()
    return [await insertTask(ADA, 'open-report'), await insertTask(ADA, 'secret-report')] as const
  }

  test('the list leaves out tasks of other areas and refuses a filter by their kind', async () => {
    await insertBoth()
    const { headers } = await giveApiToken(portal, { scopes: ['usage:read'] })
    const program = await portal.as(null)
    const { body } = await program(listTasks, { query, headers })
    expect((body.data as Task[]).map((task) => task.kind)).toEqual(['open-report'])
    expect(await program(listTasks, { query: { ...query, kind: 'secret-report' }, headers })).toMatchObject({
      status: 403,
      body: { err: 'This token does not have the scope audit:read' },
    })
  })

  test.each([
    [getTask, 'audit:read', 'audit:read'],
    [downloadTask, 'audit:read', 'audit:read'],
    [deleteTask, 'audit:write', 'audit:read'],
  ] as const)('$0.name answers only with $1', async (operation, needed, tooLittle) => {
    const [open, secret] = await insertBoth()
    const program = await portal.as(null)
    const statusWith = async (scopes: readonly TokenScope[], id: string) => {
      const { headers } = await giveApiToken(portal, { scopes })
      return (await program(operation, { params: { id }, query, headers })).status
    }
    expect(await statusWith(['usage:write', ...(tooLittle === needed ? [] : [tooLittle])], secret)).toBe(403)
    // The file of a failed task is not found.
    const found = operation === downloadTask ? 404 : 200
    expect(await statusWith(['usage:write'], open)).toBe(found)
    expect(await statusWith([needed], secret)).toBe(found)
  })
})

test('a task of a kind that this version does not know is not found', async () => {
  const id = await insertTask(ADA, 'later-report')
  const ada = await portal.as(ADA)
  expect((await ada(getTask, { params: { id }, query })).status).toBe(404)
  expect(await listed(ADA)).not.toContain('later-report')
})

test('a failed task has the error text of its kind', async () => {
  const id = await insertTask(ADA, 'open-report')
  const ada = await portal.as(ADA)
  const { body } = await ada(getTask, { params: { id }, query })
  expect(body.data).toMatchObject({ failure: expect.stringMatching(/^Your reports would take up more space/) })
})

test('tasks are counted by kind and state', async () => {
  await portal.db.deleteFrom('background_task').execute()
  await insertTask(VIC, 'open-report')
  await insertTask(ADA, 'open-report')
  await insertTask(ADA, 'open-report', 'ready')
  expect(await countTasks(portal.db)).toEqual([
    { kind: 'open-report', state: 'failed', count: 2 },
    { kind: 'open-report', state: 'ready', count: 1 },
  ])
})

describe('a task whose process ends under it', () => {
  const endless = kind('open-report', 'elastic.read', 'usage')
  const begin = (id: string, run: () => Promise<void>) =>
    taskJob({ ...endless, run }).run({ ...query, id }, portal as unknown as Services, {
      signal: new AbortController().signal,
      isLast: false,
    })
  const stateOf = async (id: string) => {
    const { body } = await (await portal.as(VIC))(getTask, { params: { id }, query })
    const { state, failure } = body.data as Task
    return { state, failure }
  }
  const insertWaiting = async () => {
    const id = await insertTask(VIC, 'open-report')
    await sql`update background_task set state = 'waiting', failure = null where id = ${id}`.execute(portal.db)
    return id
  }
  /** An attempt that never ends and writes nothing more, as that of a dead process. */
  const die = async (id: string) => {
    const { promise, resolve } = Promise.withResolvers<void>()
    void begin(id, async () => {
      resolve()
      await new Promise(() => {})
    })
    await promise
  }

  test('is tried again once, and then fails with the reason', async () => {
    const id = await insertWaiting()
    await die(id)
    await die(id)
    expect(await stateOf(id)).toEqual({ state: 'running', failure: null })
    await expect(begin(id, async () => {})).rejects.toThrow('a task was stopped: died')
    expect(await stateOf(id)).toEqual({
      state: 'failed',
      failure: 'The portal ended twice while it worked on this report, so it will not try again. Please tell support.',
    })
  })

  test('fails at once if it takes too much time or memory', async () => {
    const id = await insertWaiting()
    const limit = new ThreadError('the report thread failed', 'limit')
    await expect(begin(id, () => Promise.reject(limit))).rejects.toThrow(limit)
    expect(await stateOf(id)).toEqual({ state: 'failed', failure: 'This report takes too much time or memory.' })
  })

  test('may also fail in between, which is no end of a process', async () => {
    const id = await insertWaiting()
    await die(id)
    for (let attempt = 0; attempt < 3; attempt++)
      await expect(begin(id, () => Promise.reject(new Error('not today')))).rejects.toThrow('not today')
    expect(await stateOf(id)).toEqual({ state: 'waiting', failure: null })
    await begin(id, async () => {})
    expect(await stateOf(id)).toEqual({ state: 'ready', failure: null })
  })
})

test('a task whose job died with its process has failed', async () => {
  const id = await insertTask(VIC, 'open-report')
  await portal.db
    .updateTable('background_task')
    .set({ state: 'running', failure: null })
    .where('customer_number', '=', query.customerNumber)
    .where('id', '=', id)
    .execute()
  await failAbandonedTasks(portal.db, portal.clock.now())
  const vic = await portal.as(VIC)
  expect((await vic(getTask, { params: { id }, query })).body.data).toMatchObject({ state: 'failed' })
})
