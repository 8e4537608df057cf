import { operationsOf } from '#contract/kit/operations-of.ts'
import * as optionsFiles from '#contract/options-files/options-files.ts'

export const optionsFilesOperations = operationsOf(optionsFiles)
