import { field, plain, text, type Words, type WordsByAction } from '#domain/audit/words.ts'

/** "Approved the request of vic@x.example for 3 seats of Acoustics on lic-1" */
const decided = (did: string, what: string): Words => ({
  what,
  done: ({ target, after }) => {
    const requested = text(field(after, 'requested'))
    if (requested === '') return `${did} the request ${target}`
    const changed = field(after, 'isAsAsked') === false ? ', with changes' : ''
    return `${did} the request of ${text(field(after, 'requestedBy'))} for ${requested}${changed}`
  },
})

/** An approval by rule is an act of the person who asked. */
const asked = (what: string): Words => ({
  what,
  done: (facts) => {
    const rule = text(field(facts.after, 'approvedByRuleOf'))
    if (rule !== '') return decided(`By a rule of ${rule}, approved`, what).done(facts)
    return `Asked for ${text(field(facts.after, 'requested')) || facts.target}`
  },
})

export const REQUESTS_WORDS: WordsByAction = {
  'requests/ask': asked('ask for something'),
  'requests/withdraw': decided('Withdrew', 'withdraw a request'),
  'requests/approve': decided('Approved', 'approve a request'),
  'requests/decline': decided('Declined', 'decline a request'),
  'request.expire': decided('Closed as expired', 'close a request as expired'),
  'requests/rules/save': plain('Changed the rules for requests', 'change the rules for requests'),
  'requests/own/ask': asked('ask for a web license'),
  'requests/own/withdraw': decided('Withdrew', 'withdraw a request'),
}
