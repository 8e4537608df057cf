import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files that start processes or try many cases. Begun last, one of them would keep a single worker busy at the end. */
const LONGEST =
  /(after-crash|recovery|disk-space|interrupted-plans|plan-sequences|access-matrix|unsafe-input|start)[.]test/

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isLong = ({ moduleId }: TestSpecification) => LONGEST.test(moduleId)
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
  }
}

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          name: 'unit',
          include: ['{domain,contract,web,scripts,bench}/**/*.test.ts'],
          // Files share their modules: loading them again for every file took longer than the tests.
          isolate: false,
          // Only for what hangs: a busy machine takes many times as long as a quiet one.
          testTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'server',
          include: ['server/**/*.test.ts'],
          exclude: ['server/**/*.long.test.ts'],
          globalSetup: 'server/testing/global-setup.ts',
          pool: 'forks',
          isolate: false,
          maxWorkers: 2,
          testTimeout: 120_000,
          hookTimeout: 240_000,
        },
      },
      {
        test: {
          name: 'long',
          include: ['server/**/*.long.test.ts'],
          globalSetup: 'server/testing/global-setup.ts',
          pool: 'forks',
          testTimeout: 600_000,
          hookTimeout: 240_000,
        },
      },
    ],
  },
})
