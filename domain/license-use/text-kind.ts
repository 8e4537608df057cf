import { parseLogLine } from '#domain/license-use/logs/log-line.ts'
import { OPTIONS_KEYWORDS } from '#domain/license-use/logs/options-statement.ts'

export type UsageTextKind = 'lmstat' | 'lmstat-i' | 'log' | 'options' | 'unknown'

/** Enough to tell the kind of a text. */
export const LINES_OF_KIND = 200

const OTHER_MANAGERS = /^\s*(?:LM-X |rlmutil\b|rlm status\b)|\bReprise\b|ANSYS Licensing Interconnect/i

/** A text of another license manager than FlexNet. */
export const isOtherManager = (lines: readonly string[]): boolean => lines.some((line) => OTHER_MANAGERS.test(line))

/** Tells the kind of a text by its first lines. Other license managers are `unknown`: their logs only look alike. */
export function detectTextKind(lines: readonly string[]): UsageTextKind {
  if (isOtherManager(lines)) return 'unknown'
  if (lines.some((line) => /lmstat -i does not give|^\s*Feature\s+Version\s+#licenses/.test(line))) return 'lmstat-i'
  if (
    lines.some((line) =>
      /Flexible License Manager status on|^\s*(?:License server status:|Users of .+:\s+\()/.test(line),
    )
  )
    return 'lmstat'
  if (lines.some((line) => parseLogLine(line) !== null)) return 'log'
  const said = lines.filter((line) => line.trim() && !/^\s*#/.test(line))
  const [first = ''] = said[0]?.trim().split(/\s+/) ?? []
  return OPTIONS_KEYWORDS.includes(first) ? 'options' : 'unknown'
}
