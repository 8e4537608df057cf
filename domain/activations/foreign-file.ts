import { type LicenseLine, writtenLines } from '#domain/activations/license-lines.ts'

/** First words of an options file, which tells a vendor daemon who may use what. */
const OPTIONS: ReadonlySet<string> = new Set(
  `BORROW_LOWWATER DEBUGLOG EXCLUDE EXCLUDE_BORROW EXCLUDEALL FQDN_MATCHING GROUP GROUPCASEINSENSITIVE HOST_GROUP INCLUDE
   INCLUDE_BORROW INCLUDEALL LINGER MAX MAX_BORROW_HOURS MAX_OVERDRAFT NOLOG REPORTLOG RESERVE TIMEOUT TIMEOUTALL`.split(
    /\s+/,
  ),
)
const HTML = /^\s*(?:<!--[^>]*>\s*)?<(?:!doctype\s+html|html|head|body|div|table|p|span|meta)[\s>]/i
const XML = /^\s*<\?xml/i
const TOOL_OUTPUT =
  /^[ \t]*(?<tool>lm[a-z]+) - Copyright|^[ \t]*(?:Flexible License Manager status on|License server status:)/m
/** Lines of another license manager: ISV and its daemon, LICENSE with at least five fields. */
const RLM = /^[ \t]*(?:ISV[ \t]+\w|LICENSE(?:[ \t]+[^\s=]+){5})/m
const LOG = /^[ \t]*\d{1,2}:\d\d:\d\d \([\w.-]+\) /m

/** What a text is if it is no license file of our kind: in words that complete "This is …". Undefined if it may be one. */
export function foreignTextKind(text: string, lines: readonly LicenseLine[]): string | undefined {
  if (text.trim() === '') return 'an empty file'
  if (HTML.test(text)) return 'a web page'
  if (XML.test(text)) return 'an XML document'
  const tool = TOOL_OUTPUT.exec(text)
  if (tool) return `the output of ${tool.groups?.tool ?? 'lmstat'}`
  if (LOG.test(text)) return 'a log of a license manager'
  if (!lines.some(isFeature) && RLM.test(text)) return 'an RLM license file'
  const firstWords = writtenLines(text).map((line) => /^\s*(\S+)\s+\S/.exec(line)?.[1] ?? '')
  const hasKeyword = lines.some(({ keyword }) => keyword !== undefined)
  return !hasKeyword && firstWords.some((word) => OPTIONS.has(word)) ? 'an options file' : undefined
}

export const isFeature = ({ keyword }: LicenseLine) => keyword === 'FEATURE' || keyword === 'INCREMENT'
