/** What the identity provider says about a person and usage is added up by. Empty if it says nothing. */
export type PersonFacts = { readonly department: string; readonly costCenter: string }
export type PersonDimension = keyof PersonFacts
