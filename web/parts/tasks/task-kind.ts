import type { Task } from '#contract/tasks/tasks.ts'

/** How the task list describes the tasks of one kind. The kinds of the portal are listed in `web/app/shell/all-tasks.tsx`. */
export type TaskKind = {
  readonly kind: string
  /** What the result holds: "Usage transactions". */
  readonly title: string
  /** What the result is called in texts: "export". */
  readonly noun: string
  /** What progress is counted in: "transactions". */
  readonly unit: string
  /** What was asked for, in short phrases: "2026-10-01 to 2026-10-31", "Product contains “pro”". */
  describe(task: Task): readonly string[]
}

/** A task of a kind that this version of the page does not know yet. */
const UNKNOWN: Omit<TaskKind, 'kind'> = { title: 'Background task', noun: 'task', unit: 'rows', describe: () => [] }

export function kindOf(kinds: readonly TaskKind[], { kind }: Task): Omit<TaskKind, 'kind'> {
  return kinds.find((one) => one.kind === kind) ?? UNKNOWN
}
