/**
 * Calls that write and leave no entry of their own in the audit log when they succeed, each with what keeps it instead
 * (docs/decisions/0215-writes-without-an-audit-entry.md). Every other call that writes has an entry, also when it is refused.
 */
export const UNAUDITED_WRITES: Readonly<Record<string, string>> = {
  'service/elastic/sessions': 'The session is a row of the usage ledger, which is never changed.',
  'service/elastic/sessions/heartbeat': 'Moves the end of a session in the usage ledger.',
  'service/elastic/sessions/end': 'The end is booked in the usage ledger.',
  'service/usage': 'Every transaction is a row of the usage ledger.',
  'service/web/checkouts': 'The checkout is a row with its user, host and times.',
  'service/web/checkouts/heartbeat': 'Moves the end of a checkout.',
  'service/web/checkouts/checkin': 'The end is in the row of the checkout.',
  'license-servers/observations': 'The log says until where it was read, and every checkout and denial in it is a row.',
  'service/license-servers/observations': 'The same rows as those of license-servers/observations.',
  'license-use/uploads/part':
    'Nobody sees a part before license-use/uploads/start, which is logged with name and size.',
  noteOpenedAccount: 'Looking at an account changes nothing of it. The row is replaced by the next look.',
}
