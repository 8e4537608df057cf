import dayjs from 'dayjs'

export const TIME_FORM = 'Enter a date and time as YYYY-MM-DD H:mm.'

export function isInstant(value: string): boolean {
  return /^\d{4}-\d\d-\d\dT/.test(value) && !Number.isNaN(Date.parse(value))
}

/** The typed text as an instant; as it is if it is no time; null if it is empty. */
export function readTime(typed: string): string | null {
  const text = typed.trim()
  if (text === '') return null
  const parts = /^(\d{4}-\d\d-\d\d)[ T](\d{1,2}):(\d\d)$/.exec(text)
  if (!parts) return text
  const wall = `${parts[1]} ${parts[2]?.padStart(2, '0')}:${parts[3]}`
  const time = dayjs(wall)
  // dayjs turns 02-30 into 03-02.
  return time.isValid() && time.format('YYYY-MM-DD HH:mm') === wall ? time.toISOString() : text
}
