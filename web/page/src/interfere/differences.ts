import type { TraceEvent } from '../engine/protocol'
import type { RunModel } from '../state/run-model'

/** The first event of each of two runs from which they differ, or null if one of them has all events of the other. */
export interface Difference {
  first: number
  second: number
}

/**
 * Finds where two runs part. Verdicts are no difference: a fork may no longer guarantee what its parent does.
 */
export function differenceOf(first: RunModel, second: RunModel): Difference | null {
  const own = events(first)
  const other = events(second)
  for (let i = 0; i < Math.max(own.length, other.length); i++) {
    if (i >= own.length || i >= other.length) {
      return own.length === other.length ? null : { first: own[i] ?? first.last, second: other[i] ?? second.last }
    }
    if (text(first.trace[own[i]]) !== text(second.trace[other[i]])) {
      return { first: own[i], second: other[i] }
    }
  }
  return null
}

function events(model: RunModel): number[] {
  return model.trace.flatMap((event, i) =>
    ['violated', 'not-guaranteed', 'observed'].includes(event.what) ? [] : [i],
  )
}

/** Times of two scales are no difference. */
function text(event: TraceEvent): string {
  return JSON.stringify({ ...event, text: undefined, source: undefined })
}
