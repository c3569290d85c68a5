import type { Sources, TraceEvent, TypedJson } from '../engine/protocol'
import type { RunModel } from './run-model'

export interface SourcePosition {
  file: string
  /** Counted from 1. */
  line: number
}

/** The case of the algorithm that an event executed. */
export function sourceOf(sources: Sources, model: RunModel, index: number): SourcePosition | undefined {
  const algorithm = sources.algorithms[model.run.algorithm]
  const position = keysOf(model.trace[index])
    .map((key) => algorithm?.cases[key])
    .find((found) => found !== undefined)
  return position && { file: algorithm.files[position[0]], line: position[1] }
}

/** Under which names the sources may have the case of an event, the most exact one first. */
function keysOf(event: TraceEvent): string[] {
  if (event.what === 'started') {
    return [`Started ${event.how}`]
  }
  if (event.what !== 'step') {
    return []
  }
  const { type } = event.event
  const content = event.event.message ?? event.event.timer ?? event.event.call
  return content === undefined || content === null ? [type] : [`${type} ${nameOf(content)}`, type]
}

function nameOf(content: unknown): string {
  return typeof content === 'object' ? (content as TypedJson).type : String(content)
}
