import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '#server/config.ts'
import { cookieAttributes, cookieName } from '#server/identity/sign-in-session.ts'
import type { Services } from '#server/services.ts'
import { findWritten, formatPosition, type Position, parsePosition } from '#server/turns/replica.queries.ts'

const COOKIE = 'written'
/** Seconds. A replica that is further behind is not read anyway. */
const KEPT = 3600
/** No replica ever gets this far. */
const END_OF_LOG = 0xffff_ffff_ffff_ffffn

/**
 * Keeps in the browser how far the primary's log was after this person's last write, so that a replica answers them only
 * when it has that write. Does nothing without a replica.
 */
export async function keepWrittenPosition(
  { reads, pools, config }: Services,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  if (!reads.replica || request.principal?.kind !== 'session' || reply.sent) return
  // The write is done, whether its position can be read or not.
  const { written } = await findWritten(pools.access.db).catch(() => ({ written: END_OF_LOG }))
  reply.setCookie(cookieName(config, COOKIE), formatPosition(written), { ...cookieAttributes(config), maxAge: KEPT })
}

export function writtenPositionOf(request: FastifyRequest, config: Config): Position | undefined {
  return parsePosition(request.cookies[cookieName(config, COOKIE)])
}
