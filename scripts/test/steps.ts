import { run } from './command.ts'
import { runPlaywright } from './playwright-suite.ts'
import { asOneTest, type Step } from './step.ts'
import { runVitest } from './vitest-suite.ts'

export const GROUPS = ['lint', 'unit', 'server', 'e2e', 'long'] as const
export type Group = (typeof GROUPS)[number]
type GroupedStep = Step & { group: Group }

/** Everything that can be run, the quickest answers first. */
export function stepsOf(groups: readonly Group[], { full }: { full: boolean }): Step[] {
  // Property tests read this and try more cases.
  const depth: Record<string, string> = full ? { FULL: '1' } : {}
  const all: GroupedStep[] = [
    check('style', 'biome', 'check', '--error-on-warnings'),
    check('types', 'tsc', '-p', 'tsconfig.json'),
    check('types of the browser', 'tsc', '-p', 'web/tsconfig.json'),
    check('types of the journeys', 'tsc', '-p', 'e2e/tsconfig.json'),
    check('imports', 'node', 'scripts/test/check-imports.ts'),
    check('dead code', 'knip', '--no-progress'),
    { group: 'unit', title: 'unit tests', alone: false, run: () => runVitest('unit', depth) },
    { group: 'server', title: 'server tests', alone: true, run: () => runVitest('server', depth) },
    { group: 'e2e', title: 'browser journeys', alone: true, run: runPlaywright },
    { group: 'long', title: 'long tests', alone: true, run: () => runVitest('long', depth) },
  ]
  return all.filter(({ group }) => groups.includes(group))
}

function check(title: string, ...command: string[]): GroupedStep {
  return { group: 'lint', title, alone: false, run: async () => asOneTest(await run(command)) }
}
