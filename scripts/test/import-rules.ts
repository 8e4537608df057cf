import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { cruise } from 'dependency-cruiser'
import extractDepcruiseOptions from 'dependency-cruiser/config-utl/extract-depcruise-options'

const CHECKOUT = join(import.meta.dirname, '..', '..')
const ROOMS = ['domain', 'contract', 'server', 'web', 'e2e', 'bench', 'examples', 'scripts']

export type BrokenRule = { rule: string; from: string; to: string; instead: string }
export type ImportCheck = { modules: number; rules: string[]; broken: BrokenRule[] }

/** Checks the tree below `root` against the rules of dependency-cruiser.mjs. */
export async function checkImports(root = CHECKOUT): Promise<ImportCheck> {
  const options = await extractDepcruiseOptions(join(CHECKOUT, 'dependency-cruiser.mjs'))
  const rooms = ROOMS.filter((room) => existsSync(join(root, room)))
  const { output } = await cruise(rooms, { ...options, baseDir: root }, options.enhancedResolveOptions)
  if (typeof output === 'string') throw new Error(output)
  const instead = new Map(options.ruleSet?.forbidden?.map((rule) => [rule.name, rule.comment]))
  return {
    modules: output.summary.totalCruised,
    rules: [...instead.keys()].filter((name) => name !== undefined),
    broken: output.summary.violations.map(({ rule, from, to, cycle }) => ({
      rule: rule.name,
      from,
      to: cycle ? cycle.map((step) => step.name).join(' → ') : to,
      instead: instead.get(rule.name) ?? '',
    })),
  }
}
