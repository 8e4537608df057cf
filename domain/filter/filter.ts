/**
 * The filter language of every list, as data. The server turns it into SQL, the browser evaluates it over rows that
 * are already loaded; both start from the same parsed form, so that they cannot differ in what they accept.
 */
export const METHODS = [
  'CONTAINS',
  'STARTSWITH',
  'ENDSWITH',
  'ARRAY_CONTAINS',
  'EQUALS',
  '>',
  '<',
  '>=',
  '<=',
  'INRANGE',
  'ISDEFINED',
  'BEFORE',
  'AFTER',
  'DATERANGE',
  'BEFOREDAY',
  'AFTERDAY',
  'DAYRANGE',
  'RANGE',
] as const
export type Method = (typeof METHODS)[number]

export type CriterionInput = {
  name: string
  method: Method
  value?: unknown
  not?: boolean
  casefold?: boolean
  tostring?: boolean
}
export type FilterInput = { condition: 'ANY' | 'ALL'; criteria: (CriterionInput | FilterInput)[] }
export type SortInput = { name: string; direction: 'asc' | 'desc' | 'ASC' | 'DESC' }
