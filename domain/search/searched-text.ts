import { trimEndOf } from '#domain/trim-characters.ts'

/** Names of ids, as screens, emails and documents print them before the id. */
const LABEL =
  /^(?:(?:activation|entitlement|sales|purchase|order|po|host|license|elastic|server|account|customer|mac|external|ip|address|project|part|user|username|email|e-mail)\b[\s_-]*)*(?:(?:id|no\.?|number|nr\.?)\s*)?[:=#]+\s*(?=\S)/i
/** Names of ids without a colon count only before something that looks like an id. */
const LABEL_OF_ID =
  /^(?:activation|entitlement|sales order|purchase order|order|po|part|host|account|customer)(?:\s+(?:id|no\.?|number|nr\.?))?\s+(?=\S*$)(?=\S*\d)/i
/** The id in a line of a license file, and in the name of one. */
const IN_LICENSE_FILE = [
  /^SN=(\S+)/i,
  /^SERVER\s+\S+\s+((?:[a-z_]+=)?[0-9a-f][0-9a-f:.-]{7,})(?:\s+\d+)?$/i,
  /^license_[a-z0-9-]+_(.+?)(?:_shared)?\.lic$/i,
]
/** The three ethernet addresses of a triad, as files, mails and screens part them. The portal keeps them with commas. */
const TRIAD = /^[0-9a-f]{12}(?:(?:\s*[,;-]\s*|\s+)[0-9a-f]{12}){2}$/i
/** Spaces, quotes and brackets around an id. */
const WRAPPERS = ' "\'`“”‘’«»<>[]{},;'
const WRAPPED = /^[\s"'`“”‘’«»<>[\]{},;]+/
const INVISIBLE = /\p{Cf}/gu
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** What somebody means who pastes an id from an email, a file or another screen: without its label and quotes. */
export function searchedText(typed: string): string {
  const line = typed.replace(INVISIBLE, '').replace(/\s+/g, ' ').trim()
  const address = /<([^<>\s@]+@[^<>\s]+)>/.exec(line)?.[1]
  const text = unwrapped(unwrapped(address ?? line).replace(/^mailto:/i, ''))
  const inFile = IN_LICENSE_FILE.map((pattern) => pattern.exec(text)?.[1]).find(Boolean)
  const id = unwrapped(inFile ?? text.replace(LABEL, '').replace(LABEL_OF_ID, ''))
  if (TRIAD.test(id)) return id.split(/[\s,;-]+/).join(',')
  const joined = id.replaceAll(' ', '')
  // A line break can split a long id.
  return UUID.test(joined) ? joined : id
}

const unwrapped = (text: string) => trimEndOf(text.replace(WRAPPED, ''), WRAPPERS)
