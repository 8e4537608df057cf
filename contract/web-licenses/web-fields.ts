import { Type } from 'typebox'
import { webRead, webScope } from '#contract/web-licenses/web-access.ts'
import { WEB_LICENSE_MODELS, type WebLicenseModel } from '#domain/web-licenses/web-license.ts'

/** What all lists of web licenses have in common. */
export const webList = { access: webRead, scope: webScope } as const

export const TEXT = { type: 'text' } as const
export const text = (description: string) => ({ ...TEXT, schema: Type.String({ description }) }) as const
export const count = (description: string) => ({ type: 'number', schema: Type.Integer({ description }) }) as const
export const instant = (description: string) =>
  ({ type: 'instant', schema: Type.String({ format: 'date-time', description }) }) as const

export const licenseModel = {
  type: 'text',
  schema: Type.Unsafe<WebLicenseModel>(Type.String({ examples: Object.values(WEB_LICENSE_MODELS) })),
} as const
