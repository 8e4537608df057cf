/** What the numbers of web licenses mean, on screen and on paper. */
export const SEAT_WORDS = {
  peak: 'Peak: the most seats in use at the same time, as in the web report.',
  needed:
    'Needed: the peak of shared seats, plus one seat for every named user who used one, because a named seat cannot be lent, plus the seats that are missing.',
  more: 'More seats: one for every user who was denied for lack of a seat, less the seats that are not needed.',
  cost: 'Cost: what an order of the seats costs today by the price list of the spending account. Ordered seats are for a license server. The vendor sells web seats: ask for them.',
  daysAtLimit: 'Days at limit: days on which all seats were in use at the same time.',
} as const
