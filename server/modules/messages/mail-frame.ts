import type { Config } from '#server/config.ts'

/** The content of a mail, without its look. Texts are plain: the frame escapes them. */
export type MailBlock =
  | { readonly kind: 'paragraph'; readonly text: string }
  | { readonly kind: 'facts'; readonly facts: readonly MailFact[] }
  | { readonly kind: 'action'; readonly text: string; readonly url: string }

/** A fact can lead to its page in the portal. */
export type MailFact = readonly [label: string, value: string, url?: string]

export type MailContent = { readonly title: string; readonly blocks: readonly MailBlock[] }

export const paragraph = (text: string): MailBlock => ({ kind: 'paragraph', text })
export const facts = (...list: readonly MailFact[]): MailBlock => ({
  kind: 'facts',
  facts: list,
})
export const action = (text: string, url: string): MailBlock => ({ kind: 'action', text, url })

/** The address of a page of the portal on an account. */
export const pageUrl = (origin: string, path: string, customerNumber: string): string =>
  `${origin}${path}?customer=${encodeURIComponent(customerNumber)}`

type Sender = Pick<Config, 'brand' | 'origin'>

/** The one frame of every mail, as HTML and as text. */
export function frameMail(content: MailContent, sender: Sender): { html: string; text: string } {
  return { html: htmlOf(content, sender), text: textOf(content, sender) }
}

function footerOf({ brand, origin }: Sender): string {
  return `This message was sent by the ${brand.name} at ${origin}. Please do not reply to it.`
}

function textOf({ title, blocks }: MailContent, sender: Sender): string {
  return `${[title, ...blocks.map(blockText), '--', footerOf(sender)].join('\n\n')}\n`
}

function blockText(block: MailBlock): string {
  switch (block.kind) {
    case 'paragraph':
      return block.text
    case 'facts':
      return block.facts.map(([label, value, url]) => `${label}: ${value}${url ? ` ${url}` : ''}`).join('\n')
    case 'action':
      return `${block.text}: ${block.url}`
  }
}

const FONT = 'font-family:Arial,Helvetica,sans-serif'
const TEXT = `${FONT};font-size:15px;line-height:22px;color:#1f2933`
const SMALL = `${FONT};font-size:12px;line-height:18px;color:#52606d`

/**
 * Tables and inline styles, for mail clients: Outlook renders with Word, many clients drop style sheets, and the
 * history's own sanitizer keeps exactly these. No remote content is loaded.
 */
function htmlOf({ title, blocks }: MailContent, sender: Sender): string {
  const { brand } = sender
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light">
<title>${escaped(title)}</title>
</head>
<body style="margin:0;padding:0;background-color:#f2f4f7">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="background-color:#f2f4f7">
<tr><td align="center" style="padding:24px 12px">
<table role="presentation" width="600" cellpadding="0" cellspacing="0" border="0" style="width:100%;max-width:600px;background-color:#ffffff">
<tr><td style="padding:16px 32px;background-color:${brand.color};${FONT};font-size:16px;font-weight:bold;color:${readableOn(brand.color)}">${escaped(brand.name)}</td></tr>
<tr><td style="padding:28px 32px 8px 32px">
<h1 style="margin:0 0 16px 0;${FONT};font-size:20px;line-height:28px;color:#1f2933">${escaped(title)}</h1>
${blocks.map((block) => blockHtml(block, brand.color)).join('\n')}
</td></tr>
<tr><td style="padding:16px 32px 24px 32px;border-top:1px solid #e4e7eb;${SMALL}">${escaped(footerOf(sender))}</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`
}

function blockHtml(block: MailBlock, color: string): string {
  switch (block.kind) {
    case 'paragraph':
      return `<p style="margin:0 0 16px 0;${TEXT}">${escaped(block.text).replaceAll('\n', '<br>')}</p>`
    case 'facts':
      return `<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:0 0 16px 0">
${block.facts.map(([label, value, url]) => `<tr><td style="padding:4px 24px 4px 0;vertical-align:top;${SMALL}">${escaped(label)}</td><td style="padding:4px 0;${TEXT}">${linked(value, url)}</td></tr>`).join('\n')}
</table>`
    case 'action':
      return `<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:8px 0 24px 0">
<tr><td style="padding:10px 20px;background-color:${color}"><a href="${escaped(block.url)}" style="${FONT};font-size:15px;font-weight:bold;text-decoration:none;color:${readableOn(color)}">${escaped(block.text)}</a></td></tr>
</table>`
  }
}

const linked = (value: string, url: string | undefined) =>
  url
    ? `<a href="${escaped(url)}" style="color:#1f2933;text-decoration:underline">${escaped(value)}</a>`
    : escaped(value)

/** White or near-black, whichever has more contrast with a background (WCAG relative luminance). */
export function readableOn(background: string): '#ffffff' | '#1f2933' {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(background.slice(at, at + 2), 16) / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  const luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue
  const DARK = 0.0225
  return 1.05 / (luminance + 0.05) >= (luminance + 0.05) / (DARK + 0.05) ? '#ffffff' : '#1f2933'
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

export function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? character)
}
