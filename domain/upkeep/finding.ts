export type Level = 'ok' | 'warning' | 'failed'
/** What one check found, and what to do about it. */
export type Finding = { readonly level: Level; readonly text: string; readonly advice?: string }
export type Reported = Finding & { readonly check: string }
