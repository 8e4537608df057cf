type Waiting<Id, Answer> = { id: Id; resolve(answer: Answer): void; reject(error: unknown): void }

/** Collects single requests and sends them in batches, with a limit on the batch size and on concurrent calls. */
export function inBatches<Id, Answer>(
  size: number,
  ask: (ids: Id[]) => Promise<Answer>,
  atOnce = Number.POSITIVE_INFINITY,
): (id: Id) => Promise<Answer> {
  let waiting: Waiting<Id, Answer>[] = []
  const batches: Waiting<Id, Answer>[][] = []
  let running = 0

  const gather = () => {
    for (let at = 0; at < waiting.length; at += size) batches.push(waiting.slice(at, at + size))
    waiting = []
    sendNext()
  }
  const sendNext = () => {
    while (running < atOnce) {
      const batch = batches.shift()
      if (!batch) return
      running += 1
      void send(batch).finally(() => {
        running -= 1
        sendNext()
      })
    }
  }
  const send = async (batch: readonly Waiting<Id, Answer>[]) => {
    try {
      const answer = await ask(batch.map(({ id }) => id))
      for (const { resolve } of batch) resolve(answer)
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
  }
  return (id) =>
    new Promise((resolve, reject) => {
      // Everything that is rendered together makes its requests in the same tick.
      if (waiting.length === 0) setTimeout(gather)
      waiting.push({ id, resolve, reject })
    })
}
