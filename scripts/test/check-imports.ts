import { checkImports } from './import-rules.ts'

const { modules, broken } = await checkImports()

for (const { rule, from, to, instead } of broken) console.log(`${from} → ${to}\n  ${rule}: ${instead}\n`)

// Without a TypeScript parser, dependency-cruiser finds no files and reports success.
if (modules === 0) console.log('No modules were looked at: is @swc/core installed?')
else console.log(`${broken.length} broken import rules in ${modules} modules`)

process.exitCode = modules === 0 || broken.length > 0 ? 1 : 0
