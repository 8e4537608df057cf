import type { Operation } from '#contract/kit/operation.ts'

type Exports<File> = File extends unknown ? File[keyof File] : never
type Declared<Export> = Export extends { readonly operations: readonly (infer O)[] }
  ? O
  : Export extends Operation
    ? Export
    : never

/** The operations that these files export, those of their lists among them. */
export function operationsOf<const Files extends readonly object[]>(
  ...files: Files
): readonly Declared<Exports<Files[number]>>[] {
  const declared = files.flatMap((file) => Object.values(file)).flatMap(toOperations)
  return declared as readonly Operation[] as readonly Declared<Exports<Files[number]>>[]
}

function toOperations(value: unknown): readonly Operation[] {
  if (typeof value !== 'object' || value === null) return []
  if ('operations' in value) return value.operations as readonly Operation[]
  return 'access' in value && 'path' in value ? [value as Operation] : []
}
