import type { Axis } from '../state/axis.svelte'
import type { Condition } from '../state/conditions'
import { CONCURRENT, type Message, type RunModel } from '../state/run-model'

export const RULER = 30

/** One more layer of marks, drawn on a canvas, takes over above this number. */
export const MOST_SVG_MARKS = 2000

export interface Arrow {
  message: Message
  x1: number
  y1: number
  x2: number
  y2: number
}

export type EventShape = 'received' | 'internal' | 'fault' | 'restart' | 'broken' | 'not-guaranteed'

export interface EventMark {
  index: number
  x: number
  /** Null for an event of no single node, such as a broken property. */
  y: number | null
  shape: EventShape
}

export interface LaneBar {
  node: number
  condition: Condition
  x1: number
  x2: number
  y: number
}

/** The marks between two pixels of the run. */
export interface Scene {
  arrows: Arrow[]
  events: EventMark[]
  bars: LaneBar[]
}

export function laneHeight(nodes: number): number {
  return Math.round(Math.max(24, Math.min(58, 360 / nodes)))
}

export function laneY(node: number, lane: number): number {
  return RULER + (node + 0.5) * lane
}

export function sceneBetween(model: RunModel, axis: Axis, lane: number, from: number, to: number): Scene {
  const first = axis.position(from)
  const last = axis.position(to)
  const arrows = model.messagesBetween(first, last).map((message) => arrowOf(message, axis, lane))
  const events: EventMark[] = []
  for (let stop = model.stopAt(model.indexAtPosition(first)); stop < model.stops.length; stop++) {
    const index = model.stops[stop]
    if (model.positions[index] > last) {
      break
    }
    const shape = shapeOf(model, index)
    if (shape) {
      const node = model.nodeOf[index]
      events.push({ index, x: axis.pixel(model.positions[index]), y: node < 0 ? null : laneY(node, lane), shape })
    }
  }
  return { arrows, events, bars: barsBetween(model, axis, lane, first, last) }
}

function barsBetween(model: RunModel, axis: Axis, lane: number, first: number, last: number): LaneBar[] {
  return model.conditions.flatMap(({ roles, healths }, node) =>
    [...roles, ...healths].flatMap((condition) => {
      const [from, to] = conditionPositions(model, condition)
      const isVisible = isDrawn(condition) && from <= last && to >= first && to > from
      return isVisible ? [{ node, condition, x1: axis.pixel(from), x2: axis.pixel(to), y: laneY(node, lane) }] : []
    }),
  )
}

/** Whether a condition is drawn as a bar. The others are what a node usually does. */
export function isDrawn({ kind }: Condition): boolean {
  return !['idle', 'following', 'suspecting', 'up'].includes(kind)
}

/** Where a condition starts and ends on the axis of events. */
export function conditionPositions(model: RunModel, condition: Condition): [number, number] {
  const end = condition.to >= model.trace.length ? model.length : model.positions[condition.to]
  return [model.positions[condition.from], end]
}

function arrowOf(message: Message, axis: Axis, lane: number): Arrow {
  const x1 = axis.pixel(message.startPosition)
  const y1 = laneY(message.sender, lane)
  const x2 = axis.pixel(message.endPosition)
  const y2 = laneY(message.receiver, lane)
  const share = message.isDropped ? 0.85 : 1
  return { message, x1, y1, x2: x1 + (x2 - x1) * share, y2: y1 + (y2 - y1) * share }
}

function shapeOf(model: RunModel, index: number): EventShape | null {
  const event = model.trace[index]
  switch (event.what) {
    case 'step':
      return event.messageNumber > 0 ? 'received' : 'internal'
    case 'started':
      return event.how !== 'FIRST' ? 'restart' : event.sent.length > 0 ? 'internal' : null
    case 'fault-injected':
      return 'fault'
    case 'violated':
      return 'broken'
    case 'not-guaranteed':
      return 'not-guaranteed'
    case 'message-outcome':
      return null
    default:
      return 'internal'
  }
}

/** The line of an arrow with its head. */
export function arrowPath({ x1, y1, x2, y2, message }: Arrow): string {
  const line = `M${x1.toFixed(1)} ${y1.toFixed(1)}L${x2.toFixed(1)} ${y2.toFixed(1)}`
  return message.isDropped ? line : line + headPath(x1, y1, x2, y2)
}

/** The head ends at the border of the mark of the event, and is open, so that the line needs no second colour. */
function headPath(x1: number, y1: number, x2: number, y2: number): string {
  const length = Math.hypot(x2 - x1, y2 - y1) || 1
  const ux = (x2 - x1) / length
  const uy = (y2 - y1) / length
  const tipX = x2 - ux * 5
  const tipY = y2 - uy * 5
  const point = (back: number, side: number) =>
    `${(tipX - ux * back - uy * side).toFixed(1)} ${(tipY - uy * back + ux * side).toFixed(1)}`
  return `M${point(8, 4)}L${point(0, 0)}L${point(8, -4)}`
}

/** The event that is drawn near a pixel, or -1. */
export function eventNear(scene: Scene, x: number, y: number): number {
  let found = -1
  let closest = 14
  for (const event of scene.events) {
    const distance = event.y === null ? Math.abs(event.x - x) + (y < RULER ? 0 : 9) : Math.hypot(event.x - x, event.y - y)
    if (distance < closest) {
      closest = distance
      found = event.index
    }
  }
  return found
}

/** The message whose arrow passes near a pixel. */
export function messageNear(scene: Scene, x: number, y: number): Message | undefined {
  let found: Message | undefined
  let closest = 7
  for (const arrow of scene.arrows) {
    const distance = distanceTo(arrow, x, y)
    if (distance < closest) {
      closest = distance
      found = arrow.message
    }
  }
  return found
}

function distanceTo({ x1, y1, x2, y2 }: Arrow, x: number, y: number): number {
  const length = (x2 - x1) ** 2 + (y2 - y1) ** 2
  const share = length > 0 ? Math.min(1, Math.max(0, ((x - x1) * (x2 - x1) + (y - y1) * (y2 - y1)) / length)) : 0
  return Math.hypot(x1 + share * (x2 - x1) - x, y1 + share * (y2 - y1) - y)
}

/** Whether an arrow belongs to the causes or effects of the pinned event. */
export function isRelated(cone: Uint8Array | null, message: Message): boolean {
  return (
    cone === null ||
    (cone[message.sentIndex] !== CONCURRENT &&
      message.deliveredIndex !== undefined &&
      cone[message.deliveredIndex] !== CONCURRENT)
  )
}

/** Times at the ruler, far enough apart to be read. */
export function ticksBetween(model: RunModel, axis: Axis, from: number, to: number): { x: number; time: number }[] {
  const distance = 92
  const ticks: { x: number; time: number }[] = []
  if (axis.isTrueToTime) {
    const start = model.timeAt(axis.position(from))
    const end = model.timeAt(axis.position(to))
    const raw = ((end - start) / Math.max(1, to - from)) * distance || 1
    const power = 10 ** Math.floor(Math.log10(raw))
    const step = [1, 2, 5, 10].map((each) => each * power).find((each) => each >= raw) ?? raw
    for (let time = Math.ceil(start / step) * step; time <= end; time += step) {
      ticks.push({ x: axis.pixel(model.positionOf(time)), time })
    }
    return ticks
  }
  let next = -Infinity
  for (let stop = model.stopAt(model.indexAtPosition(axis.position(from))); stop < model.stops.length; stop++) {
    const index = model.stops[stop]
    const x = axis.pixel(model.positions[index])
    if (x > to) {
      break
    }
    if (x >= next) {
      ticks.push({ x, time: model.times[index] })
      next = x + distance
    }
  }
  return ticks
}
