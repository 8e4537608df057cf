import { expect, test } from 'vitest'
import { featuresOfDaemon, servedFeatures } from '#domain/options-files/served-features.ts'

const FILE = `SERVER lic 3cecef4b7d10 1055
VENDOR simd
VENDOR emd
# INCREMENT comment simd 1.0 permanent 9
INCREMENT solver simd 2026.1 31-dec-2026 3 SIGN="0"
INCREMENT solver simd 2025.2 permanent 2 \\
	SIGN="0"
INCREMENT solver simd 2026.1 1-jan-0 1 SIGN="0"
FEATURE old simd 1.0 18-nov-2026 7 SIGN="0"
FEATURE today simd 1.0 19-nov-2026 7 SIGN="0"
FEATURE locked simd 1.0 permanent uncounted HOSTID=ANY
FEATURE zero simd 1.0 permanent 0 HOSTID=ANY
INCREMENT em_high emd 9999.9999 permanent 4
`

test('features of a license file have the seats and versions of all lines that have not ended', () => {
  const served = servedFeatures(FILE, '2026-11-19')
  expect([...served]).toEqual([
    [
      'simd',
      [
        { feature: 'solver', versions: ['2026.1', '2025.2'], seats: 6 },
        { feature: 'today', versions: ['1.0'], seats: 7 },
      ],
    ],
    ['emd', [{ feature: 'em_high', versions: ['9999.9999'], seats: 4 }]],
  ])
})

test('features that only the license server names are added, but not those of another vendor daemon', () => {
  const reported = ['Solver', 'EM_HIGH', 'extra'].map((feature) => ({ feature, versions: [], seats: 1 }))
  const features = featuresOfDaemon(servedFeatures(FILE, '2026-11-19'), 'simd', reported)
  expect(features.map(({ feature, seats }) => [feature, seats])).toEqual([
    ['extra', 1],
    ['solver', 6],
    ['today', 7],
  ])
})
