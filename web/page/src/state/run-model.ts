import type { Json, Run, RunMessage, RunNode, TraceEvent } from '../engine/protocol'
import { conditionsOf, type Condition, type ConditionKind, type Health, type NodeConditions, type Role } from './conditions'

/** A message whose ends are indices of nodes. */
export interface Message extends RunMessage {
  /** Unique in the run, which the number of a duplicated message is not. */
  id: number
  sender: number
  receiver: number
  isDropped: boolean
  /** Where it ends on the axis of events. A message in flight at the end of the run ends beyond it. */
  startPosition: number
  endPosition: number
}

/** A partition from one event of the trace up to another. */
export interface Cut {
  from: number[]
  to: number[]
  isBothWays: boolean
  start: number
  end: number
}

export function separates(cut: Cut, sender: number, receiver: number): boolean {
  return (
    (cut.from.includes(sender) && cut.to.includes(receiver)) ||
    (cut.isBothWays && cut.from.includes(receiver) && cut.to.includes(sender))
  )
}

/** Whether an event happened before the pinned one, after it, or is neither. */
export const CONCURRENT = 0
export const PAST = 1
export const FUTURE = 2
export const PINNED = 3

/**
 * A run with what all views ask for: which events the cursor stops at, where they are drawn, what each node did.
 *
 * Positions are on an axis of events: a pause of the run takes little room, and events of the same time are apart.
 */
export class RunModel {
  readonly nodes: RunNode[]
  readonly trace: TraceEvent[]
  /** The events that the cursor stops at, as indices of the trace. The first is the start. */
  readonly stops: number[]
  /** Times of all events. */
  readonly times: number[]
  /** Positions of all events on the axis of events. */
  readonly positions: number[]
  /** The node of each event, or -1. */
  readonly nodeOf: number[]
  readonly messages: Message[]
  readonly conditions: NodeConditions[]
  readonly cuts: Cut[]
  /** The events of each node that have a state. */
  readonly #statesOf: number[][]
  readonly #nodeIndex = new Map<string, number>()
  readonly #messageTypes: string[]
  readonly #stopTimes: number[]
  /** Where the messages start, and the latest end of each message and all before it. */
  readonly #starts: number[]
  readonly #latestEnds: number[]

  constructor(readonly run: Run) {
    this.nodes = run.nodes
    this.trace = run.trace
    run.nodes.forEach((node, i) => this.#nodeIndex.set(node.name, i).set(node.id, i))
    this.times = run.trace.map((event) => event.at ?? event.step ?? 0)
    this.nodeOf = run.trace.map((event) => this.#findNode(event))
    this.stops = stopsOf(run.trace)
    this.#stopTimes = this.stops.map((stop) => this.times[stop])
    this.positions = positionsOf(this.stops, this.times)
    this.conditions = conditionsOf(this)
    this.cuts = this.#findCuts()
    this.#statesOf = run.nodes.map((_, node) =>
      run.trace.flatMap((event, i) => (isNodeStep(event) && this.nodeOf[i] === node ? [i] : [])),
    )
    this.messages = run.messages.map((message, id) => this.#place(message, id)).filter((m) => m.sender >= 0 && m.receiver >= 0)
    this.messages.sort((a, b) => a.startPosition - b.startPosition)
    this.#starts = this.messages.map((message) => message.startPosition)
    let latest = 0
    this.#latestEnds = this.messages.map((message) => (latest = Math.max(latest, message.endPosition)))
    this.#messageTypes = [...new Set(run.messages.map((message) => message.type))].sort()
  }

  get first(): number {
    return this.stops[0]
  }

  get last(): number {
    return this.stops[this.stops.length - 1]
  }

  /** The length of the axis of events. */
  get length(): number {
    return this.positions[this.positions.length - 1] ?? 0
  }

  /** The index of a node by its id or its name, or -1. */
  indexOf(node: string): number {
    return this.#nodeIndex.get(node) ?? -1
  }

  name(node: number): string {
    return this.nodes[node]?.name ?? ''
  }

  /** The last stop that is at or before an event of the trace, as an index of `stops`. */
  stopAt(index: number): number {
    return Math.max(0, upperBound(this.stops, index) - 1)
  }

  /** The last event whose position is at or before this one. */
  indexAtPosition(position: number): number {
    let low = 0
    let high = this.stops.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.positions[this.stops[middle]] <= position + 1e-9) {
        low = middle + 1
      } else {
        high = middle
      }
    }
    return this.stops[Math.max(0, low - 1)]
  }

  /** The time at a position of the axis of events. */
  timeAt(position: number): number {
    const stop = this.stopAt(this.indexAtPosition(position))
    const from = this.stops[stop]
    const to = this.stops[Math.min(stop + 1, this.stops.length - 1)]
    const width = this.positions[to] - this.positions[from]
    const share = width > 0 ? Math.min(1, Math.max(0, (position - this.positions[from]) / width)) : 0
    return this.times[from] + share * (this.times[to] - this.times[from])
  }

  /** The position of a time on the axis of events: that of the first event at this time. */
  positionOf(time: number): number {
    const after = lowerBound(this.#stopTimes, time)
    if (after >= this.stops.length) {
      return this.length
    }
    const to = this.stops[after]
    if (this.times[to] === time || after === 0) {
      return this.positions[to]
    }
    const from = this.stops[after - 1]
    const share = (time - this.times[from]) / (this.times[to] - this.times[from])
    return this.positions[from] + share * (this.positions[to] - this.positions[from])
  }

  /** Role and health of a node after an event. */
  conditionAt(node: number, index: number): { role: Condition<Role>; health: Condition<Health> } {
    const { roles, healths } = this.conditions[node]
    return { role: conditionAt(roles, index), health: conditionAt(healths, index) }
  }

  /** The partitions after an event. */
  cutsAt(index: number): Cut[] {
    return this.cuts.filter((cut) => cut.start <= index && index < cut.end)
  }

  /** The events that gave a node its state at the cursor and the state before. Either may be missing: -1. */
  statesAt(node: number, index: number): { current: number; previous: number } {
    const events = this.#statesOf[node] ?? []
    const at = upperBound(events, index) - 1
    return { current: events[at] ?? -1, previous: events[at - 1] ?? -1 }
  }

  /** The next or the previous stop of a node, or -1. */
  neighbour(node: number, index: number, direction: 1 | -1): number {
    for (let stop = this.stopAt(index) + direction; stop >= 0 && stop < this.stops.length; stop += direction) {
      if (this.nodeOf[this.stops[stop]] === node) {
        return this.stops[stop]
      }
    }
    return -1
  }

  /** The messages that are in flight between two positions, in the order in which they were sent. */
  messagesBetween(from: number, to: number): Message[] {
    const found: Message[] = []
    for (let i = upperBound(this.#starts, to) - 1; i >= 0 && this.#latestEnds[i] >= from; i--) {
      if (this.messages[i].endPosition >= from) {
        found.push(this.messages[i])
      }
    }
    return found.reverse()
  }

  /** The number of the colour and the shape of a type of message. */
  typeNumber(type: string): number {
    return this.#messageTypes.indexOf(type)
  }

  get messageTypes(): string[] {
    return this.#messageTypes
  }

  /** What happened before an event and after it, by program order and messages. */
  cone(pinned: number): Uint8Array {
    const relation = new Uint8Array(this.trace.length)
    const links = this.#links()
    spread(pinned, links.before, relation, PAST)
    spread(pinned, links.after, relation, FUTURE)
    relation[pinned] = PINNED
    return relation
  }

  #cachedLinks: { before: number[][]; after: number[][] } | undefined

  #links() {
    if (this.#cachedLinks) {
      return this.#cachedLinks
    }
    const before: number[][] = this.trace.map(() => [])
    const after: number[][] = this.trace.map(() => [])
    const link = (from: number, to: number) => {
      before[to].push(from)
      after[from].push(to)
    }
    const lastOf = new Map<number, number>()
    this.trace.forEach((event, i) => {
      const node = this.nodeOf[i]
      if (node >= 0 && event.what !== 'message-outcome') {
        const last = lastOf.get(node)
        if (last !== undefined) {
          link(last, i)
        }
        lastOf.set(node, i)
      }
    })
    for (const message of this.messages) {
      if (message.deliveredIndex !== undefined) {
        link(message.sentIndex, message.deliveredIndex)
      }
    }
    this.#cachedLinks = { before, after }
    return this.#cachedLinks
  }

  #findNode(event: TraceEvent): number {
    switch (event.what) {
      case 'started':
      case 'step':
      case 'wrote':
        return this.indexOf(event.node)
      case 'fault-injected':
        return typeof event.fault.node === 'string' ? this.indexOf(event.fault.node) : -1
      case 'message-outcome':
      case 'app-message-received':
        return this.indexOf(event.message.to)
      case 'app-message-sent':
        return this.indexOf(event.message.from)
      case 'observed':
        return typeof event.event.node === 'string' ? this.indexOf(event.event.node) : -1
      default:
        return -1
    }
  }

  #findCuts(): Cut[] {
    const cuts: (Cut & { key: string })[] = []
    const indices = (nodes: Json) => (nodes as string[]).map((node) => this.indexOf(node))
    this.trace.forEach((event, index) => {
      if (event.what !== 'fault-injected') {
        return
      }
      const { fault } = event
      const key = JSON.stringify(fault.type === 'HealCut' ? fault.cut : fault)
      if (fault.type === 'Cut') {
        const [from, to] = [indices(fault.from), indices(fault.to)]
        cuts.push({ key, from, to, isBothWays: fault.bothWays === true, start: index, end: this.trace.length })
      }
      for (const cut of cuts) {
        const isHealed = fault.type === 'Heal' || (fault.type === 'HealCut' && cut.key === key)
        if (isHealed && cut.end === this.trace.length) {
          cut.end = index
        }
      }
    })
    return cuts
  }

  #place(message: RunMessage, id: number): Message {
    const { sentIndex, deliveredIndex } = message
    return {
      ...message,
      id,
      sender: this.indexOf(message.from),
      receiver: this.indexOf(message.to),
      isDropped: message.fate === 'lost' || message.fate === 'partitioned' || message.fate === 'receiver-down',
      startPosition: this.positions[sentIndex],
      endPosition: deliveredIndex === undefined ? this.length + 2 : this.positions[deliveredIndex],
    }
  }
}

export function isNodeStep(event: TraceEvent) {
  return event.what === 'step' || event.what === 'started'
}

/** The cursor stops at every event but those that only monitors see. Silent first starts are one stop. */
function stopsOf(trace: TraceEvent[]): number[] {
  const begin = trace.findIndex((event) => !(event.what === 'started' && event.how === 'FIRST' && !event.sent.length))
  const start = begin < 0 ? trace.length - 1 : Math.max(0, begin - 1)
  const stops = [start]
  for (let i = start + 1; i < trace.length; i++) {
    if (trace[i].what !== 'observed') {
      stops.push(i)
    }
  }
  return stops
}

/** One unit is a typical gap between two events. A longer gap takes two units at most. */
function positionsOf(stops: number[], times: number[]): number[] {
  const gaps = stops.slice(1).map((stop, i) => times[stop] - times[stops[i]])
  const positive = gaps.filter((gap) => gap > 0).sort((a, b) => a - b)
  const typical = positive[positive.length >> 1] || 1
  const positions = new Array<number>(times.length).fill(0)
  let position = 0
  let stop = 0
  for (let i = 0; i < times.length; i++) {
    if (stop + 1 < stops.length && stops[stop + 1] === i) {
      const gap = gaps[stop]
      position += gap > 0 ? 0.5 + 0.5 * Math.min(gap / typical, 3) : 0.45
      stop++
    }
    positions[i] = position
  }
  return positions
}

function conditionAt<K extends ConditionKind>(conditions: Condition<K>[], index: number): Condition<K> {
  let low = 0
  let high = conditions.length
  while (low + 1 < high) {
    const middle = (low + high) >> 1
    if (conditions[middle].from <= index) {
      low = middle
    } else {
      high = middle
    }
  }
  return conditions[low]
}

function spread(from: number, links: number[][], relation: Uint8Array, mark: number) {
  const open = [from]
  while (open.length > 0) {
    for (const next of links[open.pop()!]) {
      if (relation[next] !== mark) {
        relation[next] = mark
        open.push(next)
      }
    }
  }
}

function lowerBound(sorted: number[], value: number): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (sorted[middle] < value) {
      low = middle + 1
    } else {
      high = middle
    }
  }
  return low
}

function upperBound(sorted: number[], value: number): number {
  return lowerBound(sorted, value + 1e-9)
}
