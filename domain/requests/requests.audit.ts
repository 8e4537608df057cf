import { act, plain, type WordsByAction } from '#domain/audit/words.ts'

export const REQUESTS_WORDS: WordsByAction = {
  'requests/ask': act('Asked for something', 'ask for something', 'with the request'),
  'requests/withdraw': act('Withdrew the request', 'withdraw a request', ''),
  'requests/approve': act('Approved the request', 'approve a request', ''),
  'requests/decline': act('Declined the request', 'decline a request', ''),
  'request.expire': act('Closed as expired the request', 'close a request as expired', ''),
  'requests/rules/save': plain('Changed the rules for requests', 'change the rules for requests'),
  'requests/own/ask': act('Asked for a web license', 'ask for a web license', 'with the request'),
  'requests/own/withdraw': act('Withdrew the request', 'withdraw a request', ''),
}
