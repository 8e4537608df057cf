import type { CalendarDay } from '#domain/calendar/calendar-day.ts'

type Finished = { readonly customerNumber: string; readonly finishedOn: CalendarDay; readonly reviewId: string }

/** The name of a file of a finished review. The signature names the files it covers, so they are saved under it. */
export const reviewFileName = (
  { customerNumber, finishedOn, reviewId }: Finished,
  ending: 'pdf' | 'csv' | 'signature.json',
): string => `access-review_${customerNumber}_${finishedOn}_${reviewId.slice(0, 8)}.${ending}`
