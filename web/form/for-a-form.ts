/** For queries whose data a form edits: loaded when the screen opens. Nothing may change by itself in a form that somebody fills in. */
export const FOR_A_FORM = {
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: 0,
  refetchOnWindowFocus: false,
  refetchOnReconnect: false,
} as const
