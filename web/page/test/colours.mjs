/** How well colours can be told apart, by people who see all colours and by those who do not. */

/** Linear RGB as it is seen without one kind of cones: Machado, Oliveira and Fernandes, 2009. */
const VISIONS = {
  'all cones': [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
  protanopia: [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
  deuteranopia: [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]],
  tritanopia: [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.3039]],
}
const TO_XYZ = [[0.4339, 0.3762, 0.1899], [0.2126, 0.7152, 0.0722], [0.0177, 0.1095, 0.8726]]

/** The two of these colours that are most alike: `{ difference, vision, pair }`. A colour is `[name, [r, g, b]]`. */
export function mostAlike(colours) {
  let worst = { difference: Infinity }
  for (const [vision, matrix] of Object.entries(VISIONS)) {
    const seen = colours.map(([name, rgb]) => [name, lab(product(matrix, rgb.map(linear)))])
    for (const [i, [name, colour]] of seen.entries()) {
      for (const [other, otherColour] of seen.slice(0, i)) {
        const difference = Math.hypot(...colour.map((each, at) => each - otherColour[at]))
        worst = difference < worst.difference ? { difference, vision, pair: `${other} and ${name}` } : worst
      }
    }
  }
  return worst
}

function linear(byte) {
  const value = byte / 255
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
}

function product(matrix, vector) {
  return matrix.map((row) => row.reduce((sum, each, at) => sum + each * vector[at], 0))
}

/** CIELAB, in which distances are about those that people see. */
function lab(rgb) {
  const [x, y, z] = product(TO_XYZ, rgb.map((each) => Math.min(1, Math.max(0, each)))).map((value) =>
    value > 0.008856 ? Math.cbrt(value) : 7.787 * value + 16 / 116,
  )
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)]
}
