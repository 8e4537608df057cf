import { expect, test } from 'vitest'
import { safeLinks } from '#web/modules/messages/safe-links.ts'

test.each([
  ['https://status.vendor.example/', true],
  ['http://status.vendor.example/', true],
  ['javascript:alert(1)', false],
  [' JavaScript:alert(1)', false],
  ['data:text/html,<script>alert(1)</script>', false],
  ['//status.vendor.example/', false],
  ['/home', false],
  ['', false],
])('a link to %j is shown: %s', (url, isShown) => {
  expect(safeLinks([{ text: 'More', url }])).toHaveLength(isShown ? 1 : 0)
})
