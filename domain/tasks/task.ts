export type TaskState = 'waiting' | 'running' | 'ready' | 'failed' | 'expired'

/** Why a task ended without a result. */
export type TaskFailure = 'no-space' | 'person-quota' | 'account-quota' | 'too-much' | 'died' | 'error'

/** `noun` is the name of the result of this kind of task: "export". */
export function taskFailureText(failure: TaskFailure, noun: string): string {
  switch (failure) {
    case 'no-space':
      return 'The portal ran out of disk space. Please try again later.'
    case 'person-quota':
      return `Your ${noun}s would take up more space than you have. Delete one that you no longer need, or apply filters.`
    case 'account-quota':
      return `The ${noun}s of this account would take up more space than it has. Delete one that you no longer need, or apply filters.`
    case 'too-much':
      return `This ${noun} takes too much time or memory.`
    case 'died':
      return `The portal ended twice while it worked on this ${noun}, so it will not try again. Please tell support.`
    case 'error':
      return 'Something went wrong on our side. Please start it again.'
  }
}
