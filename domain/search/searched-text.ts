/** Names of ids, as screens, emails and documents print them before the id. */
const LABEL =
  /^(?:(?:activation|entitlement|sales|purchase|order|po|host|license|elastic|server|account|customer|mac|external|ip|address|project|email|e-mail)\b[\s_-]*)*(?:id|no\.?|number|nr\.?)?\s*[:=#]+\s*(?=\S)/i
/** Names of ids without a colon count only before something that looks like an id. */
const LABEL_OF_ID =
  /^(?:activation|entitlement|sales order|purchase order|order|po|host|account|customer)(?:\s+(?:id|no\.?|number|nr\.?))?\s+(?=\S*\d\S*$)/i
const WRAPPED = /^[\s"'`“”‘’«»<>[\]{},;]+|[\s"'`“”‘’«»<>[\]{},;]+$/g
const INVISIBLE = /\p{Cf}/gu
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** What somebody means who pastes an id from an email, a file or another screen: without its label and quotes. */
export function searchedText(typed: string): string {
  const line = typed.replace(INVISIBLE, '').replace(/\s+/g, ' ').trim()
  const address = /<([^<>\s]+@[^<>\s]+)>/.exec(line)?.[1]
  const text = unwrapped(unwrapped(address ?? line).replace(/^mailto:/i, ''))
  const id = unwrapped(text.replace(LABEL, '').replace(LABEL_OF_ID, ''))
  const joined = id.replaceAll(' ', '')
  // A line break can split a long id.
  return UUID.test(joined) ? joined : id
}

const unwrapped = (text: string) => text.replace(WRAPPED, '')
