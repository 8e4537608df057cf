/** What kind of error a SCIM answer reports (RFC 7644, section 3.12). */
export type ScimType =
  | 'invalidFilter'
  | 'invalidPath'
  | 'invalidSyntax'
  | 'invalidValue'
  | 'mutability'
  | 'noTarget'
  | 'tooMany'
  | 'uniqueness'

/** A SCIM request that cannot be understood. The message says what to send instead. */
export class ScimProblem extends Error {
  override readonly name = 'ScimProblem'
  readonly scimType: ScimType
  constructor(scimType: ScimType, message: string) {
    super(message)
    this.scimType = scimType
  }
}

export function refuse(scimType: ScimType, message: string): never {
  throw new ScimProblem(scimType, message)
}
