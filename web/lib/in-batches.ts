type Waiting<Id, Answer> = { id: Id; resolve(answer: Answer): void; reject(error: unknown): void }

/** Gathers what is asked for one by one and asks for it together, so many at a time. */
export function inBatches<Id, Answer>(size: number, ask: (ids: Id[]) => Promise<Answer>): (id: Id) => Promise<Answer> {
  let waiting: Waiting<Id, Answer>[] = []

  const send = () => {
    const all = waiting
    waiting = []
    for (let at = 0; at < all.length; at += size) {
      const batch = all.slice(at, at + size)
      ask(batch.map(({ id }) => id)).then(
        (answer) => {
          for (const { resolve } of batch) resolve(answer)
        },
        (error: unknown) => {
          for (const { reject } of batch) reject(error)
        },
      )
    }
  }
  return (id) =>
    new Promise((resolve, reject) => {
      // Whatever is drawn together asks within the same turn.
      if (waiting.length === 0) setTimeout(send)
      waiting.push({ id, resolve, reject })
    })
}
