import { CallerGoneError, TooManyCallsError } from '#server/http/http-error.ts'

/** A call that takes longer than this, in milliseconds, lowers this person's trust; a quicker one raises it. */
const QUICK = 100
/** With this much trust, several calls run at once. Each quick call adds one. */
const TRUSTED = 4
const MAX_TRUST = 8
const MIN_TRUST = -200
/** A screen sends at most this many calls at once. With more of them waiting, a caller's turns pause after each call. */
const A_SCREEN = 6
/** How long a person is remembered after their last call, in milliseconds. */
const REMEMBERED = 300_000

export type TurnLimits = {
  /** How many calls of one trusted person run at a time. */
  readonly atOnce: number
  /** How many more may wait, and for how long, in milliseconds. */
  readonly waiting: number
  readonly patience: number
}

/** Ends a turn, so that the person's next call can begin. */
export type EndTurn = () => void

export type Turns = {
  /** Throws `TooManyCallsError` if too many calls of the same person already wait, or if this one has waited too long. */
  begin(person: string, gone: AbortSignal): Promise<EndTurn>
  /** For work whose answer has begun and can no longer be refused: it waits without a time limit. */
  resume(person: string, gone: AbortSignal): Promise<EndTurn>
}

type Turn = { readonly since: number }
type Waiting = { begin(): void }
type Person = {
  readonly running: Set<Turn>
  readonly queue: Waiting[]
  trust: number
  lastSeen: number
  isResting: boolean
}

/**
 * Calls of one person take turns; people do not wait for each other. Calls run one at a time until some of them were
 * quick, and again after slow ones: so quick calls run in parallel, and nobody uses more than one CPU core. With many
 * calls waiting, they run one at a time, each followed by a pause of the same length: that person then uses half a
 * core.
 */
export function turns(
  { atOnce, waiting, patience }: TurnLimits,
  now = () => performance.now(),
  after = (milliseconds: number, work: () => void): void => void setTimeout(work, milliseconds).unref(),
): Turns {
  const people = new Map<string, Person>()
  let swept = now()

  function findPerson(email: string): Person {
    const at = now()
    if (at - swept > REMEMBERED) {
      swept = at
      for (const [one, { running, queue, lastSeen }] of people)
        if (running.size + queue.length === 0 && at - lastSeen > REMEMBERED) people.delete(one)
    }
    const person = people.get(email) ?? { running: new Set(), queue: [], trust: 0, lastSeen: at, isResting: false }
    person.lastSeen = at
    people.set(email, person)
    return person
  }

  /** The trust that a turn has cost so far: one for each quick-call duration that it has lasted. */
  function lostBy({ since }: Turn): number {
    const taken = now() - since
    return taken > QUICK ? taken / QUICK : -1
  }

  function mayBegin({ running, queue, trust, isResting }: Person): boolean {
    if (isResting) return false
    const lost = [...running].reduce((sum, turn) => sum + Math.max(0, lostBy(turn)), 0)
    return running.size < (trust - lost >= TRUSTED && queue.length <= A_SCREEN ? atOnce : 1)
  }

  function start(person: Person): EndTurn {
    const turn = { since: now() }
    person.running.add(turn)
    return () => {
      if (!person.running.delete(turn)) return
      person.trust = Math.min(MAX_TRUST, Math.max(MIN_TRUST, person.trust - lostBy(turn)))
      if (person.queue.length > A_SCREEN) rest(person, now() - turn.since)
      else beginNext(person)
    }
  }

  function beginNext(person: Person): void {
    while (person.queue.length > 0 && mayBegin(person)) person.queue.shift()?.begin()
  }

  function rest(person: Person, milliseconds: number): void {
    if (person.isResting) return
    person.isResting = true
    after(milliseconds, () => {
      person.isResting = false
      beginNext(person)
    })
  }

  function wait(person: Person, gone: AbortSignal, longest: number): Promise<EndTurn> {
    const { promise, resolve, reject } = Promise.withResolvers<EndTurn>()
    const leave = (reason: Error) => {
      person.queue.splice(person.queue.indexOf(mine), 1)
      settle()
      reject(reason)
    }
    const leaveWithCaller = () => leave(new CallerGoneError())
    const mine: Waiting = {
      begin() {
        settle()
        resolve(start(person))
      },
    }
    const timer = Number.isFinite(longest) ? setTimeout(() => leave(new TooManyCallsError()), longest) : undefined
    const settle = () => {
      clearTimeout(timer)
      gone.removeEventListener('abort', leaveWithCaller)
    }
    person.queue.push(mine)
    gone.addEventListener('abort', leaveWithCaller)
    return promise
  }

  async function enter(email: string, gone: AbortSignal, most: number, longest: number): Promise<EndTurn> {
    const person = findPerson(email)
    if (person.queue.length === 0 && mayBegin(person)) return start(person)
    if (gone.aborted) throw new CallerGoneError()
    if (person.queue.length >= most) throw new TooManyCallsError()
    return wait(person, gone, longest)
  }

  return {
    begin: (person, gone) => enter(person, gone, waiting, patience),
    resume: (person, gone) => enter(person, gone, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY),
  }
}
