import type { Json } from '../engine/protocol'

const MOST_INLINE_FIELDS = 3

export function isRecord(value: Json | undefined): value is { [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Whether a value fits into one line: a plain value, a list of plain values, a small record of plain values. */
export function isSimple(value: Json): boolean {
  if (!isRecord(value) && !Array.isArray(value)) {
    return true
  }
  const parts = Array.isArray(value) ? value : Object.entries(value).flatMap(([key, each]) => (key === 'type' ? [] : each))
  const isFlat = parts.every((each) => typeof each !== 'object' || each === null)
  return isFlat && (Array.isArray(value) || parts.length <= MOST_INLINE_FIELDS)
}

/** A simple value in one line, as the command line writes it. */
export function inlineText(value: Json, nameOf: (node: string) => string): string {
  if (value === null) {
    return '–'
  }
  if (typeof value === 'string') {
    return value === '' ? '–' : nameOf(value)
  }
  if (Array.isArray(value)) {
    return `{${value.map((each) => inlineText(each, nameOf)).join(' ')}}`
  }
  if (!isRecord(value)) {
    return String(value)
  }
  const fields = Object.entries(value).filter(([key]) => key !== 'type')
  const inner = fields.map(([key, each]) => `${key} ${inlineText(each, nameOf)}`).join(', ')
  if (typeof value.type !== 'string') {
    return inner
  }
  return fields.length > 0 ? `${value.type}(${inner})` : value.type
}

export function same(a: Json | undefined, b: Json | undefined): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b)
}
