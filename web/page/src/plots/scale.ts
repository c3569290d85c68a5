/** How a value becomes a position between 0 and 1, and where the axis has its marks. */
export interface Scale {
  kind: 'linear' | 'log'
  min: number
  max: number
}

export function positionOf({ kind, min, max }: Scale, value: number): number {
  if (kind === 'log') {
    const [low, high] = [Math.log10(min), Math.log10(max)]
    return (Math.log10(value) - low) / (high - low || 1)
  }
  return (value - min) / (max - min || 1)
}

/** Round values inside the scale, at most about `count`. */
export function ticks(scale: Scale, count: number): number[] {
  return scale.kind === 'log' ? decades(scale, count) : round(scale, count)
}

function decades({ min, max }: Scale, count: number): number[] {
  const low = Math.ceil(Math.log10(min) - 1e-9)
  const high = Math.floor(Math.log10(max) + 1e-9)
  const step = Math.max(1, Math.ceil((high - low) / count))
  const result: number[] = []
  for (let exponent = high; exponent >= low; exponent -= step) {
    result.unshift(10 ** exponent)
  }
  return result
}

function round({ min, max }: Scale, count: number): number[] {
  const rough = (max - min) / Math.max(1, count)
  const power = 10 ** Math.floor(Math.log10(rough || 1))
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((each) => each >= rough * 0.999) ?? rough
  const result: number[] = []
  for (let i = Math.ceil(min / step - 1e-9); i * step <= max + step * 1e-9; i++) {
    result.push(i * step + 0)
  }
  return result
}

/** Powers of ten as such, other numbers with few digits. */
export function logText(value: number): string {
  const exponent = Math.log10(value)
  if (Math.abs(exponent - Math.round(exponent)) < 1e-9 && (value < 0.001 || value > 1000)) {
    return `10${superscript(Math.round(exponent))}`
  }
  return value < 0.001 ? value.toExponential(1) : String(Number(value.toPrecision(3)))
}

const DIGITS = '⁰¹²³⁴⁵⁶⁷⁸⁹'

function superscript(exponent: number): string {
  return String(exponent)
    .split('')
    .map((character) => (character === '-' ? '⁻' : DIGITS[Number(character)]))
    .join('')
}
