import path from 'node:path'
import type { ConnectionSettings } from '#server/embedded/cluster.ts'

const CACHE = path.join(import.meta.dirname, '../../node_modules/.cache/compiled')

/**
 * For a process that a test starts: no settings of this machine, no draining at its end, and no fresh sign-in, because
 * tests put sessions into the database. Compiled code is cached: the next start takes 60 % of the time.
 */
export const CHILD_ENVIRONMENT = {
  PATH: process.env.PATH,
  NODE_COMPILE_CACHE: CACHE,
  DRAIN_SECONDS: '0',
  FRESH_SIGN_IN_MINUTES: '0',
}

/** A value for DATABASE_URL. */
export function databaseUrl({ host, port, user, password, database }: ConnectionSettings): string {
  const secret = encodeURIComponent(String(password))
  return `postgres://${user}:${secret}@localhost:${port}/${database}?host=${encodeURIComponent(String(host))}`
}
