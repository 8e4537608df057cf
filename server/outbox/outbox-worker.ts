import { type DeliveryParts, deliverNextMessage } from '#server/outbox/deliver-message.ts'
import type { AnyLane, Lane } from '#server/outbox/lane.ts'
import { poll } from '#server/poll.ts'

const POLL_INTERVAL = 1000

/**
 * Empties the outbox for as long as the portal runs, one message of each lane at a time: a slow receiver blocks only
 * its own lane. The job queue is not used, because only a lock that is released when the sending process dies
 * guarantees that no message is sent twice.
 */
export function outboxWorker(lanes: readonly AnyLane[], parts: DeliveryParts) {
  const sending: string[] = []
  const loops = lanes
    .filter(({ deliver }) => deliver)
    .map((lane) => {
      const watchedLane = watched(lane, sending)
      return poll({
        interval: POLL_INTERVAL,
        round: () => deliverNextMessage(watchedLane, parts),
        failed: (err) => parts.log.error({ err, lane: lane.lane }, 'the outbox cannot be read'),
      })
    })

  function close(): void {
    for (const lane of lanes) lane.close?.()
  }

  return {
    start(): void {
      for (const loop of loops) void loop.start()
    },
    /** The messages that are being sent. */
    sending: () => [...sending],
    /**
     * Waits for the messages that are being sent: disconnecting from a receiver that may have accepted one leads to
     * duplicates.
     */
    async stop(): Promise<void> {
      await Promise.all(loops.map((loop) => loop.stop()))
      close()
    },
    /** Disconnects from the receivers. Their messages stay due. */
    interrupt: close,
  }
}

/** The lane, with its noun in `sending` while a message is being delivered. */
function watched(anyLane: AnyLane, sending: string[]): AnyLane {
  const lane = anyLane as Lane
  return {
    ...lane,
    async deliver(message, tx) {
      sending.push(lane.noun)
      try {
        return (await lane.deliver?.(message, tx)) ?? {}
      } finally {
        sending.splice(sending.indexOf(lane.noun), 1)
      }
    },
  }
}
