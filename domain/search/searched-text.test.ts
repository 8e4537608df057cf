import { expect, test } from 'vitest'
import { searchedText } from '#domain/search/searched-text.ts'

const ID = '0f8fad5b-d9cb-469f-a165-70867728950e'

test.each([
  ['berlin', 'berlin'],
  ['  Fluid  Flow Pro ', 'Fluid Flow Pro'],
  ['Mechanical: Pro', 'Mechanical: Pro'],
  ['Server 2019', 'Server 2019'],
  ['order', 'order'],
  ['order now', 'order now'],
  ['ID:', 'ID:'],
  [`"${ID}"`, ID],
  [`“${ID}”,`, ID],
  [`ID: ${ID}`, ID],
  [`Activation ID: ${ID}`, ID],
  [`activation id ${ID}`, ID],
  [`Activation ID = "${ID}"`, ID],
  [`0f8fad5b-d9cb-469f-\na165-70867728950e`, ID],
  ['0f8fad5b - d9cb - 469f - a165 - 70867728950e', ID],
  ['Order SO-20417', 'SO-20417'],
  ['Order No. SO-20417', 'SO-20417'],
  ['Order #SO-20417', 'SO-20417'],
  ['Purchase order: PO 77 12', 'PO 77 12'],
  ['Host ID: 3C:EC:EF:4B:7D:10', '3C:EC:EF:4B:7D:10'],
  ['MAC address: 3c ec ef 4b 7d 10', '3c ec ef 4b 7d 10'],
  ['FLEXID=9-1f04b7c2', 'FLEXID=9-1f04b7c2'],
  ['Customer 100001', '100001'],
  ['IP address: 198.51.100.4', '198.51.100.4'],
  ['External IP: 2001:db8::7', '2001:db8::7'],
  ['Project: Wing 7', 'Wing 7'],
  ['project wing', 'project wing'],
  ['Aerodyne Motors (100001)', 'Aerodyne Motors (100001)'],
  ['Ann Lee <ann.lee@company.example>', 'ann.lee@company.example'],
  ['mailto:ann.lee@company.example', 'ann.lee@company.example'],
  ['\u200b3cecef4b7d10\ufeff', '3cecef4b7d10'],
  ['', ''],
  ['"', ''],
])('%j is searched as %j', (typed, searched) => {
  expect(searchedText(typed)).toBe(searched)
})
