import { hostPlansJob, resumePlansJob } from '#server/modules/activations/plans/host-plans.job.ts'
import type { Job } from '#server/tasks/job.ts'

export const activationsJobs: readonly Job<never>[] = [hostPlansJob, resumePlansJob]
