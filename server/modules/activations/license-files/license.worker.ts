import { withLineFeeds } from '#domain/activations/license-files/file-signature.ts'
import { decodeFile } from '#domain/activations/license-files/license-bytes.ts'
import { changedLines, nearestText } from '#domain/activations/license-files/license-difference.ts'
import { licenseFileExcess } from '#domain/activations/license-files/license-limits.ts'
import { readLicenseFile } from '#domain/activations/license-files/license-reader.ts'
import { verifyLicenseText } from '#domain/activations/license-files/license-verification.ts'
import type {
  LicenseAnswer,
  LicenseQuestion,
  LicenseWork,
} from '#server/modules/activations/license-files/license-threads.ts'
import { createVerifier } from '#server/modules/activations/license-files/license-verifier.ts'
import { answerQuestions } from '#server/threads/answer-questions.ts'

/** A thread that reads one license file after the other. */
answerQuestions((question: LicenseQuestion): LicenseAnswer => {
  switch (question.kind) {
    case 'read':
      return readLicenseFile(question.file)
    case 'verify':
      return verify(question)
    case 'compare':
      return compare(question)
  }
})

function verify({ file, keys }: LicenseWork['verify']['question']): LicenseWork['verify']['answer'] {
  const decoded = decodeFile(file)
  if (decoded.kind === 'other') return { kind: 'refused', reason: `This is ${decoded.what}, not a license file.` }
  const excess = licenseFileExcess(decoded.text)
  if (excess !== undefined) return { kind: 'too large', reason: excess }
  const text = completed(withLineFeeds(decoded.text))
  return { kind: 'verified', text, verification: verifyLicenseText(text, createVerifier(keys)) }
}

/** A file that was copied by hand may lack its last line end. */
const completed = (text: string) => (text === '' || text.endsWith('\n') ? text : `${text}\n`)

/** Maximum number of changed lines in an answer. The count says how many there are. */
const MAX_LINES = 100

function compare({ text, kept }: LicenseWork['compare']['question']): LicenseWork['compare']['answer'] {
  const nearest = nearestText(kept, text)
  const lines = changedLines(kept[nearest] ?? '', text)
  return { nearest, lines: lines.slice(0, MAX_LINES), lineCount: lines.length }
}
