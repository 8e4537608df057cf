/** Sizes in points and colors that all parts of a document share. */
export const CELL_PADDING = 4
export const FONT_SIZE = 9

export const INK = '#1c2230'
export const SOFT = '#5b6475'
export const EDGE = '#d5d9e0'
/** Colors of the used amount, and of its limit. */
export const VALUE = '#3b6fd4'
export const LIMIT = '#c4303a'
