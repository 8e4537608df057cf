import fs from 'node:fs'

/** Where a portal that runs as root keeps what PostgreSQL's user must reach and cannot reach in place. */
export const SHARED_ROOT = '/var/lib/licensing-portal'

export function makeSharedRoot(root = SHARED_ROOT): void {
  fs.mkdirSync(root, { recursive: true })
  // A strict umask would close it to the very user that it is made for.
  fs.chmodSync(root, 0o755)
}
