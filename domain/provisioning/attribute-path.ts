import { refuse, type ScimType } from '#domain/provisioning/scim-problem.ts'
import { ENTERPRISE_SCHEMA, GROUP_SCHEMA, USER_SCHEMA } from '#domain/provisioning/scim-schema.ts'

/** An attribute as filters, PATCH and `attributes` name it: `emails.value`, `urn:…:enterprise:2.0:User:department`. */
export type AttributePath = {
  /** `other`: an extension that the portal does not know. */
  readonly schema: 'core' | 'enterprise' | 'other'
  /** Undefined for a schema as a whole. */
  readonly attribute: string | undefined
  readonly part: string | undefined
}

/** Longer paths name nothing that exists. */
const MAX_PATH = 300
const SCHEMAS = [
  [ENTERPRISE_SCHEMA, 'enterprise'],
  [USER_SCHEMA, 'core'],
  [GROUP_SCHEMA, 'core'],
] as const

export function parseAttributePath(text: string, scimType: ScimType): AttributePath {
  if (text === '' || text.length > MAX_PATH) refuse(scimType, `"${shown(text)}" names no attribute.`)
  if (!text.slice(0, 4).toLowerCase().startsWith('urn:')) return plainPath('core', text, scimType)
  for (const [urn, schema] of SCHEMAS) {
    if (text.slice(0, urn.length).toLowerCase() !== urn.toLowerCase()) continue
    const rest = text.slice(urn.length)
    if (rest === '') return { schema, attribute: undefined, part: undefined }
    // Attributes follow a colon. Some providers write a dot.
    if (rest.startsWith(':') || rest.startsWith('.')) return plainPath(schema, rest.slice(1), scimType)
  }
  return { schema: 'other', attribute: undefined, part: undefined }
}

const NAME = /^[A-Za-z$][\w$-]*$/

function plainPath(schema: AttributePath['schema'], text: string, scimType: ScimType): AttributePath {
  const [attribute = '', part, ...more] = text.split('.')
  if (more.length > 0 || !NAME.test(attribute) || (part !== undefined && !NAME.test(part)))
    refuse(scimType, `"${shown(text)}" names no attribute.`)
  return { schema, attribute, part }
}

const MAX_SHOWN = 60
/** What the caller sent, as errors repeat it. */
export const shown = (text: string): string =>
  (text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text).toWellFormed().replace(/\p{Cc}/gu, ' ')
