import { openedWords } from '#domain/access-review/audit-words.ts'
import { act, counted, field, named, number, plain, rows, some, text, texts, type Words } from '#domain/audit/words.ts'
import { lineWords } from '#domain/license-use/waiting/audit-words.ts'
import { seatsText } from '#domain/license-use/waiting/waiting-rules.ts'
import { decidedWords } from '#domain/requests/audit-words.ts'

const installationKey = (did: string, what: string): Words => ({
  what,
  done: ({ after }) => `${did} with the key ${text(field(after, 'key'))}`,
})

/** What the audit log has besides operations: signing in and out, the operator's commands, and acts of the portal itself. */
export const OTHER_ACTS = {
  'sign-in': plain('Signed in', 'sign in'),
  'sign-out': plain('Signed out', 'go on with a session'),
  'sign-in.break-glass': {
    what: 'sign in with the break-glass address',
    done: ({ target }) => `Signed in with the break-glass address ${target ?? ''}`.trimEnd(),
  },
  'sign-in-provider.test': {
    what: 'test the sign-in provider',
    done: ({ after }) =>
      text(field(after, 'reason')) === ''
        ? `Tested the sign-in provider: ${text(field(after, 'email'))} signed in`
        : `Tested the sign-in provider: ${text(field(after, 'reason'))}`,
  },
  'sign-in-provider.access': {
    what: 'take access from the groups of a directory',
    done: ({ target, before, after }) =>
      `Access of ${target ?? ''} by the groups of the directory: ${text(field(after, 'role')) || (text(field(before, 'role')) ? 'no role' : 'web groups')}`,
  },
  'sign-in-provider.domain': {
    what: 'check a domain',
    done: ({ target, after }) => `Checked the domain ${target ?? ''}: ${text(field(after, 'state'))}`,
  },
  'claim-roles': {
    what: 'take roles from the identity provider',
    done: ({ after }) => `Roles from the identity provider: ${some(texts(after)) || 'none'}`,
  },
  'staff.grant': { what: 'grant a role', done: ({ target, after }) => `Granted ${text(after)} to ${target}` },
  'staff.revoke': { what: 'revoke a role', done: ({ target, before }) => `Revoked ${text(before)} from ${target}` },
  'service-key.create': named('Created the service key', 'create a service key', 'after'),
  'service-key.revoke': named('Revoked the service key', 'revoke a service key', 'before'),
  'access.end': {
    what: 'end the access of a person',
    done: ({ target, after }) => {
      const reason = text(field(after, 'reason'))
      return `Ended the access of ${target}${reason === '' ? '' : `: ${reason}`}`
    },
  },
  'license-key.create': act('Created a key that signs license files', 'create a signing key', 'with the id'),
  'license-key.rotate': act('Changed the key that signs license files', 'change the signing key', 'to'),
  'usage.rebuild': act('Computed the sums of usage again', 'compute the sums of usage again'),
  'usage.archive': act('Archived usage', 'archive usage'),
  'usage.detach': act('Took archived usage out of the database', 'take usage out of the database'),
  'usage.restore': act('Brought archived usage back', 'bring usage back'),
  'audit.checkpoint': {
    what: 'sign checkpoints',
    done: ({ after }) => `Signed ${counted(number(field(after, 'checkpoints')), 'checkpoint')} of the audit log`,
  },
  'audit.retention': {
    what: 'remove the oldest entries of the audit log',
    done: ({ after }) =>
      `Removed the audit log up to sequence ${number(field(after, 'sequence'))}: older than ${counted(number(field(after, 'days')), 'day')}`,
  },
  backup: { what: 'make a backup', done: ({ after }) => `Made a backup${rows(after)}` },
  restore: act('Restored a backup', 'restore a backup'),
  drill: {
    what: 'try a backup',
    done: ({ after }) =>
      `Tried the backup ${text(field(after, 'file'))}: ${field(after, 'isSound') === false ? 'it has faults' : 'it can be restored'}`,
  },
  'database.shard': act('Distributed the database over several nodes', 'distribute the database'),
  'installation-key.wrap': installationKey(
    'Wrapped the secrets of the installation',
    'wrap the secrets of the installation',
  ),
  'installation-key.rotate': installationKey(
    'Wrapped the secrets of the installation again',
    'change the installation key',
  ),
  'installation-key.unwrap': act(
    'Stored the secrets of the installation without a key',
    'unwrap the secrets of the installation',
  ),
  'records.import': {
    what: 'import records',
    done: ({ target, after }) => `Imported ${target}: ${counted(number(field(after, 'read')), 'row')} read`,
  },
  'records.export': { what: 'export records', done: ({ target, after }) => `Exported ${target}${rows(after)}` },
  'webhook.switch-off': {
    what: 'switch off a webhook',
    done: ({ after }) => `Switched off the webhook ${text(field(after, 'url'))}: ${text(field(after, 'reason'))}`,
  },
  'access-review.open': openedWords,
  'request.expire': decidedWords('Closed as expired', 'close a request as expired'),
  'license-use.offer': lineWords('Told the first in line of', 'tell the first in line'),
  'license-use.end-place': {
    what: 'end a place in line',
    done: ({ target, after }) =>
      `Ended a place in line for ${seatsText(number(field(after, 'seats')) || 1, target ?? 'a feature')}: ${text(field(after, 'why'))}`,
  },
  'license-use.remove-old': {
    what: 'remove old checkouts and denials of license servers',
    done: ({ after }) =>
      `Removed ${counted(number(field(after, 'removed')), 'event')} of license servers: older than ${counted(number(field(after, 'days')), 'day')}`,
  },
} satisfies Readonly<Record<string, Words>>
