/**
 * Options of queries whose data a form edits: loaded when the screen opens, and never refetched while somebody fills in
 * the form.
 */
export const FOR_A_FORM = {
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: 0,
  refetchOnWindowFocus: false,
  refetchOnReconnect: false,
} as const
