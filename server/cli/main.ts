import { runWords } from '#server/cli/run-words.ts'

const OUTPUTS = [process.stdout, process.stderr]
let isWritten = true
for (const output of OUTPUTS)
  output.on('error', ({ code, message }: NodeJS.ErrnoException) => {
    isWritten = false
    // A reader that has seen enough, such as `head`, has closed the pipe.
    if (code !== 'EPIPE' && output === process.stdout) process.stderr.write(`${message}\n`)
  })
const code = await runWords(process.argv.slice(2), process)
// A pipe takes 64 kB at once: ending the process would drop what is still waiting.
for (const output of OUTPUTS) await new Promise((resolve) => output.write('', resolve))
process.exit(isWritten ? code : code || 1)
