import type { Fields } from '#domain/filter/fields.ts'

/**
 * What the entitlement list holds on the wire: the server makes SQL of it, the browser filters loaded rows by it. What is
 * permanent has no end, which lies after every day.
 */
export const ENTITLEMENT_FIELDS = {
  ActivationId: { type: 'text' },
  EntitlementID: { type: 'text' },
  PartNumber: { type: 'text' },
  ProductName: { type: 'text' },
  LicenseModel: { type: 'text' },
  LineItemQuantity: { type: 'number' },
  StartDate: { type: 'day' },
  EndDate: { type: 'day', missingIsFuture: true },
  VersionDate: { type: 'day' },
  IsActivationPermanent: { type: 'text' },
  EntitlementState: { type: 'text' },
  'CA[ENT|ansystype]': { type: 'text' },
  'CA[ENT|ansyssubtype]': { type: 'text' },
  'CA[ENT|ansysponum]': { type: 'text' },
} as const satisfies Fields

export type EntitlementField = keyof typeof ENTITLEMENT_FIELDS
