import fs from 'node:fs'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { limit } from '#server/testing/slowness.ts'

/** Files that start processes or try many cases. Begun last, one of them would keep a single worker busy at the end. */
const LONGEST =
  /(after-crash|recovery|disk-space|interrupted-plans|plan-sequences|access-matrix|unsafe-input|start)[.]test/

/** Fails alone when an operation has no sample. It needs no database. */
const SAMPLES = 'server/samples.test.ts'

/** Tests of the embedded database, or of a process that starts one. */
const NEEDS_EMBEDDED = /pristineDataDir|#server\/embedded\/|portal-process/

/** Tests of a cluster, which only the project `citus` has. */
const NEEDS_CLUSTER = ['routing', 'operations-compared', 'sharded-backup', 'sharded-steps', 'lost-worker'].map(
  (name) => `server/scale-out/${name}.test.ts`,
)

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const rank = ({ moduleId }: TestSpecification) => (moduleId.endsWith(SAMPLES) ? 0 : LONGEST.test(moduleId) ? 1 : 2)
    return sorted.sort((one, other) => rank(one) - rank(other))
  }
}

/** Only ends tests that hang: `until` gives up earlier, and says what is missing. */
const endsAfter = (milliseconds: number) => ({
  testTimeout: limit(milliseconds),
  hookTimeout: limit(milliseconds),
  expect: { poll: { timeout: limit(60_000) } },
})

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          name: 'unit',
          include: ['{domain,contract,web,scripts,bench}/**/*.test.ts', SAMPLES],
          // Files share their modules: loading them again for every file took longer than the tests.
          isolate: false,
          ...endsAfter(60_000),
        },
      },
      {
        test: {
          name: 'server',
          include: ['server/**/*.test.ts'],
          exclude: ['server/**/*.long.test.ts', SAMPLES, ...NEEDS_CLUSTER],
          globalSetup: 'server/testing/global-setup.ts',
          pool: 'forks',
          isolate: false,
          maxWorkers: 2,
          ...endsAfter(600_000),
        },
      },
      {
        test: {
          name: 'citus',
          include: fs
            .globSync('server/**/*.test.ts')
            .filter((file) => !NEEDS_EMBEDDED.test(fs.readFileSync(file, 'utf8'))),
          exclude: ['server/**/*.long.test.ts'],
          globalSetup: 'server/testing/global-setup.ts',
          pool: 'forks',
          isolate: false,
          maxWorkers: 2,
          ...endsAfter(900_000),
        },
      },
      {
        test: {
          name: 'long',
          include: ['server/**/*.long.test.ts'],
          globalSetup: 'server/testing/global-setup.ts',
          pool: 'forks',
          ...endsAfter(900_000),
        },
      },
    ],
  },
})
