import os from 'node:os'

const MEGABYTE = 1024 * 1024

/** What the embedded server runs with: a small machine, a bulk load now and then, and nothing acknowledged is ever lost. */
export function serverSettings(memory = availableMemory()): Record<string, string> {
  const sharedBuffers = Math.max(32, Math.min(256, Math.floor(memory / MEGABYTE / 8)))
  return {
    // Nothing listens on the network, and only the server's own user and root can open the socket.
    listen_addresses: '',
    unix_socket_permissions: '0700',
    max_connections: '60',

    fsync: 'on',
    synchronous_commit: 'on',
    full_page_writes: 'on',

    shared_buffers: `${sharedBuffers}MB`,
    effective_cache_size: `${sharedBuffers * 4}MB`,
    work_mem: '8MB',
    maintenance_work_mem: `${Math.max(32, Math.floor(sharedBuffers / 2))}MB`,
    random_page_cost: '1.1',
    jit: 'off',

    // Nobody replicates from the embedded server, so a bulk load may skip the log for tables that it has just made.
    wal_level: 'minimal',
    max_wal_senders: '0',
    wal_buffers: '16MB',
    max_wal_size: '2GB',
    min_wal_size: '128MB',

    timezone: 'UTC',
    log_timezone: 'UTC',
    // StartupError statements are the portal's to report; their texts may hold personal data and do not belong in a file.
    log_min_messages: 'log',
    log_min_error_statement: 'panic',
    log_checkpoints: 'off',
  }
}

/** In a container the limit of the container counts, not the machine's memory. */
function availableMemory(): number {
  return Math.min(os.totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY)
}

export function asArguments(settings: Record<string, string>): string[] {
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}
