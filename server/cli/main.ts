import { runWords } from '#server/cli/run-words.ts'

process.exit(await runWords(process.argv.slice(2), process))
