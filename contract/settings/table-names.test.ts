import { expect, test } from 'vitest'
import { readTableName } from '#contract/settings/table-names.ts'

test.each([
  ['emailList', 'emailList'],
  ['UsageTransactions', 'elasticTransaction'],
  ['elasticTransaction', 'elasticTransaction'],
  ['EmailList', undefined],
  ['toString', undefined],
  ['', undefined],
])('%s is the table %s', (name, table) => {
  expect(readTableName(name)).toBe(table)
})
