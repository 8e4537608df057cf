import { act, difference, download, email, field, plain, text, texts, type WordsByAction } from '#domain/audit/words.ts'

export const ELASTIC_WORDS: WordsByAction = {
  getpin: {
    what: 'read the PIN of an elastic license server',
    done: ({ target, after }) =>
      field(after, 'isPinCreated') ? `Created and read the PIN of ${target}` : `Read the PIN of ${target}`,
  },
  changepin: act('Changed the PIN', 'change the PIN'),
  saveUsers: {
    what: 'save allowed usernames',
    done: ({ target, before, after }) =>
      `Saved the allowed usernames of ${target}${difference(texts(field(before, 'users')), texts(field(after, 'users')))}`,
  },
  setips: act('Saved the IP rules', 'save IP rules'),
  'elastic/unlockpin': {
    what: 'unlock an address',
    done: ({ target, before }) => `Let ${text(field(before, 'externalIp'))} send PINs of ${target} again`,
  },
  // Refusals only: the start itself is in the usage ledger.
  'service/elastic/sessions': act('Started an elastic session', 'start an elastic session', 'on'),
  'fetchUsage/export': download('usage transactions'),
  'fetchUsage/exports/start': plain('Started an export of usage transactions', 'export usage'),
  'fetchUsage/pdf': download('the usage report'),
  'fetchUsage/email': email('usage transactions'),
  'getEntitlements/export': download('elastic entitlements'),
  'getEntitlements/forecast/export': download('the run-out forecast'),
  'getEntitlements/forecast/pdf': download('the run-out forecast'),
  'getEntitlements/forecast/email': email('the run-out forecast'),
  'elastic/denials/export': download('denied session starts'),
  getPdf: download('a statement'),
  'statements/export': download('a table of a statement'),
  'statements/email': email('a statement'),
  'statements/chargeback/export': download('a chargeback'),
  'statements/chargeback/pdf': download('a chargeback'),
  'statements/chargeback/email': email('a chargeback'),
  emailweek: act('Emailed the weekly statement', 'email the weekly statement', 'as'),
  emailmonth: act('Emailed the monthly statement', 'email the monthly statement', 'as'),
  'statements/mailed/export': download('the list of emailed statements'),
  'statements/mailed/file': download('an emailed statement'),
  'statements/schedule/save': plain('Changed the scheduled statements', 'change scheduled statements'),
}
