import dayjs from 'dayjs'

/** Down to the second, as tables and pickers show times. */
export const TIME_FORMAT = 'YYYY-MM-DD HH:mm:ss'

/** An instant in the reader's zone; nothing for one that has not come yet. */
export function timeText(instant: string | null | undefined): string {
  return instant ? dayjs(instant).format(TIME_FORMAT) : ''
}
