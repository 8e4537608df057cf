import { beforeEach, expect, test } from 'vitest'
import { CallerGoneError, TooManyCallsError } from '#server/http/http-error.ts'
import { type EndTurn, type Turns, turns } from '#server/turns/turns.ts'

const ADA = 'ada@aerodyne.example'
const VIC = 'vic@aerodyne.example'
const here = new AbortController().signal

const LIMITS = { atOnce: 4, waiting: 3 }

let clock: number
let limited: Turns
beforeEach(() => {
  clock = 0
  limited = turns({ ...LIMITS, patience: 60_000 }, () => clock)
})

/** The calls that have begun so far, in their order; waiting ones are not among them. */
function sender(person: string, patience: Turns['begin'] = limited.begin) {
  const begun: EndTurn[] = []
  const failed: unknown[] = []
  return {
    begun,
    failed,
    async send(times = 1, gone = here): Promise<void> {
      for (let i = 0; i < times; i++)
        patience(person, gone).then(
          (end) => begun.push(end),
          (error: unknown) => failed.push(error),
        )
      await settled()
    },
  }
}

const settled = () => new Promise((resolve) => setImmediate(resolve))

async function callTakes(person: string, milliseconds: number, times = 1): Promise<void> {
  for (let i = 0; i < times; i++) {
    const end = await limited.begin(person, here)
    clock += milliseconds
    end()
  }
}

test('runs the calls of a new person one at a time', async () => {
  const ada = sender(ADA)
  await ada.send(3)
  expect(ada.begun).toHaveLength(1)
  ada.begun[0]?.()
  await settled()
  expect(ada.begun).toHaveLength(2)
})

test('runs several calls at once after some quick ones', async () => {
  await callTakes(ADA, 5, 4)
  const ada = sender(ADA)
  await ada.send(6)
  expect(ada.begun).toHaveLength(4)
})

test('runs one call at a time during a slow one, and then until enough were quick', async () => {
  await callTakes(ADA, 5, 20)
  const ada = sender(ADA)
  await ada.send(1)
  clock += 1000
  await ada.send(1)
  expect(ada.begun).toHaveLength(1)
  ada.begun[0]?.()
  await settled()
  ada.begun[1]?.()
  await callTakes(ADA, 5, 4)
  await ada.send(2)
  expect(ada.begun).toHaveLength(3)
  ada.begun[2]?.()
  await settled()
  ada.begun[3]?.()
  await callTakes(ADA, 5, 10)
  await ada.send(4)
  expect(ada.begun).toHaveLength(8)
})

test('a single slightly slow call changes nothing', async () => {
  await callTakes(ADA, 5, 20)
  await callTakes(ADA, 300)
  const ada = sender(ADA)
  await ada.send(4)
  expect(ada.begun).toHaveLength(4)
})

test('calls of one person never wait for those of another', async () => {
  const [ada, vic] = [sender(ADA), sender(VIC)]
  await vic.send(4)
  await ada.send(1)
  expect(ada.begun).toHaveLength(1)
})

test('refuses a call when too many wait already', async () => {
  const ada = sender(ADA)
  await ada.send(5)
  expect(ada.failed).toEqual([expect.any(TooManyCallsError)])
  expect(ada.failed[0]).toMatchObject({ statusCode: 429, retryAfter: 2 })
})

test('refuses a call that has waited too long', async () => {
  const impatient = turns({ ...LIMITS, patience: 1 })
  const end = await impatient.begin(ADA, here)
  await expect(impatient.begin(ADA, here)).rejects.toBeInstanceOf(TooManyCallsError)
  end()
  expect(await impatient.begin(ADA, here)).toBeTypeOf('function')
})

test('an answer that has begun may wait without a time limit', async () => {
  const end = await limited.begin(ADA, here)
  const resumed = sender(ADA, limited.resume)
  await resumed.send(5)
  await expect(limited.begin(ADA, here)).rejects.toBeInstanceOf(TooManyCallsError)
  expect(resumed.failed).toEqual([])
  end()
  await settled()
  expect(resumed.begun).toHaveLength(1)
})

test('drops a waiting call whose caller has disconnected', async () => {
  const ada = sender(ADA)
  await ada.send(1)
  const leaving = new AbortController()
  await ada.send(1, leaving.signal)
  await ada.send(1)
  leaving.abort()
  await settled()
  expect(ada.failed).toEqual([expect.any(CallerGoneError)])
  ada.begun[0]?.()
  await settled()
  expect(ada.begun).toHaveLength(2)
})

test('ends a turn once, however often end is called', async () => {
  const ada = sender(ADA)
  await ada.send(3)
  ada.begun[0]?.()
  ada.begun[0]?.()
  await settled()
  expect(ada.begun).toHaveLength(2)
})

test('forgets a person who has made no call for a while', async () => {
  await callTakes(ADA, 5000)
  clock += 1_000_000
  await callTakes(VIC, 5)
  await callTakes(ADA, 5, 4)
  const ada = sender(ADA)
  await ada.send(4)
  expect(ada.begun).toHaveLength(4)
})

test.each([
  ['slow', 700],
  ['quick', 7],
])('with many calls waiting, runs one at a time and pauses after a %s one for as long as it took', async (_, taken) => {
  const rests: { milliseconds: number; work(): void }[] = []
  const many = turns(
    { atOnce: 4, waiting: 20, patience: 60_000 },
    () => clock,
    (milliseconds, work) => void rests.push({ milliseconds, work }),
  )
  const ada = sender(ADA, many.begin)
  // Trusted, so that several calls could run at once.
  for (let i = 0; i < 6; i++) {
    await ada.send()
    ada.begun.pop()?.()
  }
  await ada.send(4 + 8)
  expect(ada.begun).toHaveLength(4)
  clock += taken
  for (const end of ada.begun.splice(0)) end()
  await settled()
  expect(rests.map(({ milliseconds }) => milliseconds)).toEqual([taken])
  expect(ada.begun).toHaveLength(0)
  await ada.send()
  expect(ada.begun).toHaveLength(0)
  rests[0]?.work()
  await settled()
  expect(ada.begun).toHaveLength(1)
})

test('does not pause after the calls of one screen', async () => {
  const rests: number[] = []
  const many = turns(
    { atOnce: 4, waiting: 20, patience: 60_000 },
    () => clock,
    (milliseconds) => void rests.push(milliseconds),
  )
  const ada = sender(ADA, many.begin)
  await ada.send(7)
  clock += 700
  ada.begun[0]?.()
  await settled()
  expect(ada.begun).toHaveLength(2)
  expect(rests).toEqual([])
})
