import dayjs from 'dayjs'

/** An instant as alerts show it, in the reader's zone: yyyy-MM-dd H:mm. */
export function alertTime(instant: string): string {
  return dayjs(instant).format('YYYY-MM-DD H:mm')
}
