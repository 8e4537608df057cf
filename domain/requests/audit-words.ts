import { field, text, type Words } from '#domain/audit/words.ts'

/** "Approved the request of vic@x.example for 3 seats of Acoustics on lic-1" */
export const decidedWords = (did: string, what: string): Words => ({
  what,
  done: ({ target, after }) => {
    const requested = text(field(after, 'requested'))
    if (requested === '') return `${did} the request ${target}`
    const changed = field(after, 'isAsAsked') === false ? ', with changes' : ''
    return `${did} the request of ${text(field(after, 'requestedBy'))} for ${requested}${changed}`
  },
})

/** An approval by rule is an act of the person who asked. */
export const askedWords = (what: string): Words => ({
  what,
  done: (facts) => {
    const rule = text(field(facts.after, 'approvedByRuleOf'))
    if (rule !== '') return decidedWords(`By a rule of ${rule}, approved`, what).done(facts)
    return `Asked for ${text(field(facts.after, 'requested')) || facts.target}`
  },
})
