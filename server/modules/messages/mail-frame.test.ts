import { expect, test } from 'vitest'
import { action, facts, frameMail, pageUrl, paragraph, readableOn } from '#server/modules/messages/mail-frame.ts'
import { sanitizeBody } from '#server/modules/messages/sanitize-body.ts'

const sender = {
  origin: 'https://portal.vendor.example',
  brand: { name: 'Licensing Portal', logoUrl: '', color: '#3451b2' },
}
const content = {
  title: 'Access to <Aerodyne> & "friends"',
  blocks: [
    paragraph('First line\nsecond <script>alert(1)</script>'),
    facts(['Account', "O'Hara <b>& sons</b>"], ['Role', 'Viewer']),
    facts(['License server', 'lic <01>', pageUrl('https://portal.vendor.example', '/license-servers/0a', 'A&1')]),
    action('Open', 'https://portal.vendor.example/home?a=1&b="2"'),
  ],
}
const { html, text } = frameMail(content, sender)

test('text and HTML have the same content', () => {
  expect(text).toBe(`Access to <Aerodyne> & "friends"

First line
second <script>alert(1)</script>

Account: O'Hara <b>& sons</b>
Role: Viewer

License server: lic <01> https://portal.vendor.example/license-servers/0a?customer=A%261

Open: https://portal.vendor.example/home?a=1&b="2"

--

This message was sent by the Licensing Portal at https://portal.vendor.example. Please do not reply to it.
`)
  expect(html).toContain('O&#39;Hara &lt;b&gt;&amp; sons&lt;/b&gt;')
  expect(html).toContain('First line<br>second &lt;script&gt;')
  expect(html).toContain('href="https://portal.vendor.example/home?a=1&amp;b=&quot;2&quot;"')
  expect(html).toContain(
    '<a href="https://portal.vendor.example/license-servers/0a?customer=A%261" style="color:#1f2933;text-decoration:underline">lic &lt;01&gt;</a>',
  )
  expect(html).not.toContain('<script')
})

test('loads no remote content, and keeps lines within the limit of mail servers', () => {
  expect(html).not.toMatch(/\bsrc=|url\(|@import|<link|<style/)
  expect(Math.max(...html.split('\n').map((line) => line.length))).toBeLessThan(998)
})

test('the history shows the frame as it was sent, styles included', () => {
  const kept = sanitizeBody(html)
  for (const style of ['background-color:#3451b2', 'max-width:600px', 'font-size:20px', 'padding:10px 20px'])
    expect(kept).toContain(style)
})

test.each([
  ['#3451b2', '#ffffff'],
  ['#000000', '#ffffff'],
  ['#ffffff', '#1f2933'],
  ['#ffb71b', '#1f2933'],
])('on %s the text is %s', (background, color) => expect(readableOn(background)).toBe(color))
