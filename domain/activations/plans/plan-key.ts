import type { PlanStep } from '#domain/activations/plans/plan.ts'

/** Names a step by its content: the same content has the same key, in every plan. Short and plain enough for a header. */
export function stepKey(step: PlanStep): string {
  return `${step.kind.replaceAll(' ', '-')}-${digest(JSON.stringify(step))}`
}

/** The Idempotency-Key of a step. The save's own id keeps a later save with the same content apart. */
export function idempotencyKey(saveId: string, step: PlanStep): string {
  return `${saveId}-${stepKey(step)}`
}

/** Two rounds of FNV-1a with different seeds. It tells the few steps of one save apart, and protects nothing. */
function digest(text: string): string {
  return [0x811c9dc5, 0x01000193].map((seed) => fnv1a(text, seed).toString(16).padStart(8, '0')).join('')
}

function fnv1a(text: string, seed: number): number {
  let hash = seed
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193) >>> 0
  return hash
}
