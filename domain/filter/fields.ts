import type { Method } from '#domain/filter/filter.ts'

/**
 * What a field of a list holds, and how it looks on the wire: text, a JSON number, an instant as `2026-01-31T09:30:00.000Z`,
 * a calendar day as `2026-01-31`, true/false, a list of texts, or JSON that is only shown.
 */
export const FIELD_TYPES = ['text', 'number', 'instant', 'day', 'boolean', 'text-list', 'json'] as const
export type FieldType = (typeof FIELD_TYPES)[number]

export type FieldDeclaration = {
  readonly type: FieldType
  readonly sortable?: boolean
  /** Missing stands for "not yet", as the end of a running session does: it lies after every instant. */
  readonly missingIsFuture?: boolean
}
export type Fields = Readonly<Record<string, FieldDeclaration>>

const COMPARED = ['EQUALS', '>', '<', '>=', '<=', 'ISDEFINED'] as const
const DATED = [...COMPARED, 'BEFORE', 'AFTER', 'DATERANGE', 'BEFOREDAY', 'AFTERDAY', 'DAYRANGE'] as const

export const METHODS_OF: Readonly<Record<FieldType, readonly Method[]>> = {
  text: ['CONTAINS', 'STARTSWITH', 'ENDSWITH', 'EQUALS', 'ISDEFINED'],
  number: [...COMPARED, 'INRANGE', 'RANGE'],
  instant: DATED,
  day: DATED,
  boolean: ['EQUALS', 'ISDEFINED'],
  'text-list': ['ARRAY_CONTAINS', 'ISDEFINED'],
  json: [],
}

const UNSORTABLE: readonly FieldType[] = ['text-list', 'json']

export function isSortable(field: FieldDeclaration): boolean {
  return field.sortable !== false && !UNSORTABLE.includes(field.type)
}

export function isFilterable(field: FieldDeclaration): boolean {
  return field.type !== 'json'
}
