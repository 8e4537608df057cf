import { describe, expect, it, test } from 'vitest'
import type { Alert } from '#domain/messages/alerts.ts'
import { bannerText, joinWithAnd, signatureOf } from '#web/modules/messages/banner-text.ts'

const outage: Alert = {
  id: 'a 1',
  category: 'CRITICAL',
  status: 'ACTIVE',
  date: '2026-11-15T08:00:00Z',
  expires: null,
  description: 'No sessions can be started.',
  service: ['Elastic Licensing'],
  links: [],
}
const maintenance: Alert = {
  ...outage,
  id: 'b',
  category: 'INFO',
  expires: '2026-11-16T08:00:00Z',
  service: ['Licensing Portal', 'Elastic Licensing', 'Downloads'],
}

test.each([
  [[], ''],
  [['A'], 'A'],
  [['A', 'B'], 'A and B'],
  [['A', 'B', 'C'], 'A, B and C'],
  [['A', 'B', 'C', 'D'], 'A, B, C and D'],
])('the words %j are joined as %j', (words, joined) => {
  expect(joinWithAnd(words)).toBe(joined)
})

describe('the alert banner', () => {
  it('says nothing without alerts', () => {
    expect(bannerText([])).toBeUndefined()
  })

  it('shows a single alert in full', () => {
    expect(bannerText([maintenance])).toEqual({
      category: 'INFO',
      title: 'Planned maintenance',
      services: 'Licensing Portal, Elastic Licensing and Downloads',
      description: 'No sessions can be started.',
      from: '2026-11-15T08:00:00Z',
      to: '2026-11-16T08:00:00Z',
      address: '/notification-details/b',
    })
    expect(bannerText([outage])).toMatchObject({
      title: 'Outage',
      to: undefined,
      address: '/notification-details/a%201',
    })
  })

  it('lists the distinct services of several alerts, in the color of the most severe one', () => {
    expect(bannerText([maintenance, outage])).toMatchObject({
      category: 'CRITICAL',
      title: 'Multiple alerts',
      services: 'Licensing Portal, Elastic Licensing and Downloads',
      description: undefined,
      address: '/notifications',
    })
  })

  it('stays closed while the alerts are the same, in any order', () => {
    expect(signatureOf([outage, maintenance])).toBe(signatureOf([maintenance, { ...outage }]))
    expect(signatureOf([outage])).not.toBe(signatureOf([{ ...outage, description: 'Sessions are slow.' }]))
    expect(signatureOf([outage])).not.toBe(signatureOf([outage, maintenance]))
  })
})
