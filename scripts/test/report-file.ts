import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Finished } from './command.ts'

/** Lets a runner write its JSON report to a temporary file. A missing or truncated report counts as none. */
export async function withReportFile<Report>(
  run: (file: string) => Promise<Finished>,
): Promise<{ finished: Finished; report: Report | undefined }> {
  const folder = await mkdtemp(join(tmpdir(), 'test-report-'))
  try {
    const file = join(folder, 'report.json')
    const finished = await run(file)
    const report = await readFile(file, 'utf8')
      .then((text): Report => JSON.parse(text))
      .catch(() => undefined)
    return { finished, report }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
