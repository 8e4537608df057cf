import { act, counted, download, field, number, plain, type WordsByAction } from '#domain/audit/words.ts'

export const LICENSE_USE_WORDS: WordsByAction = {
  'license-use/export': download('the use of license servers'),
  'license-use/denials/export': download('denials of license servers'),
  'license-use/pdf': download('the use of license servers'),
  'license-use/settings/save': plain(
    'Changed what is kept of the use of license servers',
    'change what is kept of license servers',
  ),
  'license-use.remove-old': {
    what: 'remove old checkouts and denials of license servers',
    done: ({ after }) =>
      `Removed ${counted(number(field(after, 'removed')), 'event')} of license servers: older than ${counted(number(field(after, 'days')), 'day')}`,
  },
  'license-use/uploads/start': act('Started to read an uploaded log', 'read an uploaded log'),
}
