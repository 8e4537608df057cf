import type { ConnectionSettings } from '#server/embedded/cluster.ts'

/** As DATABASE_URL takes it. */
export function databaseUrl({ host, port, user, password, database }: ConnectionSettings): string {
  const secret = encodeURIComponent(String(password))
  return `postgres://${user}:${secret}@localhost:${port}/${database}?host=${encodeURIComponent(String(host))}`
}
