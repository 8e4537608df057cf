type DatabaseError = Error & { code?: string; syscall?: string; errors?: readonly unknown[]; cause?: unknown }

/** Serialization failure or deadlock: the transaction was rolled back, and a retry usually succeeds. */
export function isTransactionConflict(error: unknown): boolean {
  return ['40001', '40P01'].includes((error as DatabaseError)?.code ?? '')
}

/** A value that PostgreSQL cannot take (class 22: too long, out of range, not text): the caller sent it. */
export function isUnusableValue({ code = '' }: DatabaseError): boolean {
  return /^22[0-9A-Z]{3}$/.test(code)
}

/** A statement that ran into its time limit, or was canceled. */
export function isStatementTimeout(error: unknown): boolean {
  return (error as DatabaseError)?.code === '57014'
}

/**
 * A node of a sharded database is away, and the statement needed it. The coordinator itself answers: it reported this.
 */
export function isNodeLost(error: unknown): boolean {
  const { code = '', message = '' } = error as DatabaseError
  return /^08[0-9A-Z]{3}$/.test(code) || LOST_NODE.test(message)
}

/**
 * The database is away, starting, stopping, read-only, out of disk, memory or connections, or too busy. Nothing is wrong
 * with the request: the same one succeeds later.
 */
export function isDatabaseUnavailable(error: DatabaseError): boolean {
  const { code = '', message, errors = [] } = error
  if (/^53[0-9A-Z]{3}$/.test(code) || /^25P0/.test(code) || code === '25006') return true
  if (isStatementTimeout(error) || isTransactionConflict(error) || isConnectionLost(error)) return true
  if (errors.length > 0) return errors.every((one) => isDatabaseUnavailable(one as DatabaseError))
  return LOST_NODE.test(message)
}

/** There is no connection to the database: all parts of the portal notice that at the same time. */
export function isConnectionLost(error: unknown): boolean {
  const { code = '', message, errors = [], syscall = '', cause } = Object(error) as Partial<DatabaseError>
  if (message === undefined) return false
  if (/^08[0-9A-Z]{3}$/.test(code) || /^57P0/.test(code)) return true
  // The job queue makes objects of its own, without the system call.
  if (NETWORK_ERRORS.includes(code) && ['', 'connect', 'read', 'write', 'getaddrinfo'].includes(syscall)) return true
  // One error for each address of the host, as with localhost.
  if (errors.length > 0) return errors.every(isConnectionLost)
  return DRIVER_ERRORS.test(message) || isConnectionLost(cause)
}

const NETWORK_ERRORS = [
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
]

/** The driver reports these without a code. */
const DRIVER_ERRORS =
  /^(?:Connection terminated|timeout exceeded when trying to connect|Client (?:has encountered a connection error|was closed)|Cannot use a pool after calling end|driver has already been destroyed|Postgres connection has been discarded)/

/** A node of a cluster goes away within a transaction: Citus reports it as an internal error, or with the words of libpq. */
const LOST_NODE =
  /^(?:failure on connection marked as essential|SSL SYSCALL error|SSL connection has been closed|server closed the connection|could not (?:receive|send) data|no connection to the server)/
