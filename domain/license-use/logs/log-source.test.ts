import { expect, test } from 'vitest'
import { doubtsAbout, readLogSource, serverOf } from '#domain/license-use/logs/log-source.ts'

const log = [
  '8:00:00 (lmgrd) FlexNet Licensing (v11.19.6.0 build 298683 x64_lsb) started on LIC-01.example.com (linux) (3/9/2026)',
  '8:00:01 (sim) Server started on lic-01 for:  solver',
  '8:00:02 (sim_1) (@sim-SLOG@) Host used in license file: lic-01',
  '9:00:00 (sim) OUT: "solver" ann@pc-1  ',
].join('\n')
const servers = [
  { serverId: '3cecef4b7d10', serverName: 'lic-01' },
  { serverId: '0a0000000001,0a0000000002,0a0000000003', serverName: 'lic-a,lic-b,lic-c' },
]

test('a debug log names its license server, its vendor daemon and its first day', () => {
  const source = readLogSource(log)
  expect(source).toEqual({ servers: ['lic-01.example.com', 'lic-01'], daemons: ['sim'], day: '2026-03-09' })
  expect(serverOf(servers, source)).toBe(servers[0])
})

test.each([
  ['the SERVER line of a license file', 'SERVER other 3cecef4b7d10 1055', servers[0]],
  ['the status of lmstat', 'License server status: 1055@lic-b', servers[1]],
  ['the status of a triad', 'License server status: 1055@lic-a,1055@lic-b,1055@lic-c', servers[1]],
  ['the state of a server in lmstat', 'lic-c: license server UP v11.19.6', servers[1]],
  ['a name of no license server', 'License server status: 1055@elsewhere', undefined],
  ['names of two license servers', 'License server status: 1055@lic-01\nlic-b: license server UP', undefined],
  ['nothing', '9:00:00 (sim) OUT: "solver" ann@lic-01  ', undefined],
])('the license server follows from %s', (_, text, server) => {
  expect(serverOf(servers, readLogSource(text))).toBe(server)
})

test('a log of another vendor daemon, and one from before the first license file, are doubtful', () => {
  const known = { ...servers[0]!, daemons: ['sim'], firstFileOn: '2026-03-09' }
  expect(doubtsAbout(known, readLogSource(log))).toEqual([])
  expect(doubtsAbout({ ...known, daemons: [], firstFileOn: null }, readLogSource(log))).toEqual([])
  expect(doubtsAbout({ ...known, daemons: ['ansyslmd'], firstFileOn: '2026-03-10' }, readLogSource(log))).toEqual([
    'The log is of vendor daemon sim. lic-01 has licenses of ansyslmd.',
    'The log begins on 2026-03-09, before the first license file of lic-01 (2026-03-10).',
  ])
})
