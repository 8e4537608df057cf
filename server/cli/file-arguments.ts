import { UsageError } from '#server/cli/command.ts'
import { FILE_KINDS } from '#server/data/data-kinds.ts'
import type { FileKind } from '#server/data/files/file-kind.ts'
import { FILE_FORMATS, type FileFormat } from '#server/data/files/file-rows.ts'

export function kindNamed(name: string): FileKind {
  const found = FILE_KINDS.find(({ kind }) => kind.name === name)
  if (found) return found
  throw new UsageError(`"${name}" is not a kind: ${FILE_KINDS.map(({ kind }) => kind.name).join(', ')}`)
}

export function formatOption(text: string | undefined): FileFormat | undefined {
  if (text === undefined) return undefined
  const format = FILE_FORMATS.find((one) => one === text)
  if (!format) throw new UsageError(`--format must be ${FILE_FORMATS.join(' or ')}`)
  return format
}
