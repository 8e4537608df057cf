import { expect, test } from 'vitest'
import { hostQuestion } from '#web/modules/activations/history/host-columns.tsx'
import { splitFilter } from '#web/modules/activations/history/host-history.api.ts'

const text = (filter: string) => ({ filterType: 'text', type: 'contains', filter }) as const
const criterion = (name: string, value: string) => ({ name, method: 'CONTAINS', value, casefold: true })

test('filters on the host go to the list, those on its history to one entry', () => {
  const { filter } = hostQuestion({ filters: { serverName: text('berlin'), modifiedby: text('ada') }, sorting: [] })
  const { filter: ofHost, history } = splitFilter(filter)
  expect(ofHost).toEqual({ condition: 'ALL', criteria: [criterion('serverName', 'berlin')] })
  expect(JSON.parse(history)).toEqual({ condition: 'ALL', criteria: [criterion('modifiedby', 'ada')] })
})

test('an entitlement is found by its product or its activation id, and sorted by its product', () => {
  const { filter, sorting } = hostQuestion({
    filters: { entitlement: text('Pro') },
    sorting: [{ column: 'entitlement', direction: 'desc' }],
  })
  expect(JSON.parse(splitFilter(filter).history)).toEqual({
    condition: 'ALL',
    criteria: [{ condition: 'ANY', criteria: [criterion('ansysproduct', 'Pro'), criterion('activationid', 'Pro')] }],
  })
  expect(sorting).toEqual([{ name: 'ansysproduct', direction: 'desc' }])
})

test('an action is found and sorted by the word that is shown', () => {
  const { filter, sorting } = hostQuestion({
    filters: { action: text('Rehosted') },
    sorting: [{ column: 'action', direction: 'asc' }],
  })
  expect(JSON.parse(splitFilter(filter).history).criteria).toEqual([criterion('actionword', 'Rehosted')])
  expect(sorting).toEqual([{ name: 'actionword', direction: 'asc' }])
})

test('requests everything without filters', () => {
  const { filter, history } = splitFilter(hostQuestion({ filters: {}, sorting: [] }).filter)
  expect(filter.criteria).toEqual([])
  expect(JSON.parse(history)).toEqual({ condition: 'ALL', criteria: [] })
})
