import { expect, test } from 'vitest'
import { calendarText } from '#domain/reminders/calendar.ts'

const now = new Date('2026-11-16T08:00:00.123Z')
const calendar = (product: string) =>
  calendarText({
    name: 'Aerodyne, Inc.: end dates',
    host: 'portal.example',
    now,
    endings: [{ activationId: 'A-1', product, quantity: 1200, endsOn: '2026-12-31' }],
  })

test('an end date is an entry of a whole day', () => {
  expect(calendar('Mesher')).toBe(
    [
      'BEGIN:VCALENDAR',
      'VERSION:2.0',
      'PRODID:-//Licensing Portal//End dates//EN',
      'CALSCALE:GREGORIAN',
      'METHOD:PUBLISH',
      String.raw`X-WR-CALNAME:Aerodyne\, Inc.: end dates`,
      'REFRESH-INTERVAL;VALUE=DURATION:PT12H',
      'BEGIN:VEVENT',
      'UID:A-1@portal.example',
      'DTSTAMP:20261116T080000Z',
      'DTSTART;VALUE=DATE:20261231',
      'DTEND;VALUE=DATE:20270101',
      'SUMMARY:Mesher ends',
      String.raw`DESCRIPTION:Activation ID A-1\nQuantity 1\,200\nThis is the last day.`,
      'TRANSP:TRANSPARENT',
      'END:VEVENT',
      'END:VCALENDAR',
      '',
    ].join('\r\n'),
  )
})

test('nothing in a name can begin another line, and long lines are folded between characters', () => {
  const text = calendar(`Éé; "x"\r\nEND:VCALENDAR\n${'ü'.repeat(200)}\u0007`)
  for (const line of text.split('\r\n')) expect(new TextEncoder().encode(line).length).toBeLessThanOrEqual(75)
  expect(text.match(/^END:VCALENDAR/gm)).toHaveLength(1)
  const unfolded = text.replaceAll('\r\n ', '')
  expect(unfolded).toContain(String.raw`SUMMARY:Éé\; "x"\nEND:VCALENDAR\n${'ü'.repeat(200)}  ends`)
})
