import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const CODE = '{domain,contract,server,web,e2e,bench,scripts,examples,docs,deploy}'
const FILES = ['ARCHITECTURE.md', 'CONTRIBUTING.md', 'README.md', ...globSync(`${CODE}/**/README.md`)].filter(
  (file) => !file.includes('node_modules'),
)

/** Paths in backticks outside of examples; `<module>` and `*` stand for many. */
const pathsIn = (text: string) =>
  [...text.replace(/^```.*?^```/gms, '').matchAll(/`([\w.-]+(?:\/[\w.-]+)+\.[a-z]{2,4})`/g)].map(
    ([, path = '']) => path,
  )

test('every path that a README names exists, from the top or from the folder of the README', () => {
  const named = FILES.flatMap((file) => pathsIn(readFileSync(file, 'utf8')).map((path) => ({ file, path })))
  expect(named.length).toBeGreaterThan(20)
  const missing = named.filter(({ file, path }) => !existsSync(path) && !existsSync(join(dirname(file), path)))
  expect(missing).toEqual([])
})

test('every link between documents leads to a file', () => {
  const broken = [...FILES, ...globSync('docs/*.md')].flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/\]\(([^)\s]+)\)/g)]
      .map(([, link = '']) => link.split('#')[0] ?? '')
      // The guide names its pictures without their ending.
      .filter((link) => link !== '' && !/^https?:/.test(link) && !link.startsWith('pictures/'))
      .filter((link) => !existsSync(join(dirname(file), link)))
      .map((link) => `${file}: ${link}`),
  )
  expect(broken).toEqual([])
})

test('the README has at most 120 lines', () => {
  expect(readFileSync('README.md', 'utf8').split('\n').length).toBeLessThanOrEqual(120)
})
