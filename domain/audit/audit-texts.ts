import type { AuditedAct, Words } from '#domain/audit/words.ts'

const MAX = 500

/**
 * An act in words: "Activated 3 seats of Acoustics Response on lic-berlin-01". `summary` describes an operation that has no
 * words of its own, such as a page of a list that was refused.
 */
export function auditText(act: AuditedAct, words?: Partial<Words>, summary?: string): string {
  const text = act.outcome === 'refused' ? refusedText(act, words?.what, summary) : doneText(act, words, summary)
  return text.length > MAX ? `${text.slice(0, MAX - 1).toWellFormed()}…` : text
}

function doneText(act: AuditedAct, words: Partial<Words> | undefined, summary: string | undefined): string {
  if (words?.done) return words.done(act)
  return `${summary ?? act.action}${act.target ? ` (${act.target})` : ''}`
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

function refusedText({ action, target, reason }: AuditedAct, to: string | undefined, summary: string | undefined) {
  // The rest of a summary is for those who write programs.
  const what = to ? `Refused to ${to}` : `Refused: ${summary?.split(/[,;:(]/)[0]?.trim() ?? action}`
  // An id says nothing to people, and the entry has it beside its words.
  return `${what}${target && !UUID.test(target) ? ` (${target})` : ''}. ${reason ?? ''}`.trim()
}
