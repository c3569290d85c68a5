/** A curve of a plot. Its number decides colour, dashes and the shape of its points. */
export interface Series {
  name: string
  points: [number, number][]
  /** Points without a line between them. */
  isScattered?: boolean
  /** A place of the palette, if it is not the place in the list. */
  style?: number
}

/** A vertical line at a value of x. */
export interface Mark {
  x: number
  label: string
}

export const DASHES = ['', '7 4', '2 3', '10 3 2 3', '12 5', '4 2']
export const COLORS = [0, 1, 2, 3, 4, 5].map((each) => `var(--message-${each})`)

/** The outline of a point, around the origin. */
export const SHAPES = [
  'M-4 0a4 4 0 108 0a4 4 0 10-8 0z',
  'M-3.700 -3.700h7.400v7.400h-7.400z',
  'M0 -5l4.600 8.300h-9.200z',
  'M0 -5.200l5.200 5.200l-5.200 5.200l-5.200 -5.200z',
  'M0 5l4.600 -8.300h-9.200z',
  'M-1.500 -4.500h3v3h3v3h-3v3h-3v-3h-3v-3h3z',
]
