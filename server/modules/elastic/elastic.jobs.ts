import type { Job } from '#server/jobs/job.ts'
import { expireUsageExportsJob } from '#server/modules/elastic/expire-usage-exports.ts'
import { usageExportJob } from '#server/modules/elastic/run-usage-export.ts'
import { usagePartitionsJob } from '#server/modules/elastic/usage-partitions.ts'

export const elasticJobs: readonly Job<never>[] = [usageExportJob, expireUsageExportsJob, usagePartitionsJob]
