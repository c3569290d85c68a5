/**
 * What the engine answers: the types of its JSON documents.
 *
 * The engine is `habemus.web.Laboratory`. Every function takes strings and returns one document, or a `Failure`.
 */

/** A command that the engine refuses. */
export interface Failure {
  error: string
  hint?: string
}

export type Problem = 'mutex' | 'election' | 'detector' | 'log' | 'threads'

export type FaultKindName = string

export interface AlgorithmOption {
  option: string
  /** The form of the value, such as `MS`; empty for a flag. */
  value: string
  default: string
  help: string
}

export interface AlgorithmEntry {
  name: string
  problem: Problem
  summary: string
  /** Whether it violates a property on purpose. */
  broken: boolean
  shape: string
  survives: FaultKindName[]
  options: AlgorithmOption[]
}

/** The section of the help that an option belongs to, such as `Network`. */
export interface WorldOption {
  option: string
  form: string
  example: string
  section: string
  help: string
  default: string
  problem: Problem | null
  isFlag: boolean
  isRepeatable: boolean
}

export interface Named {
  name: string
  sentence: string
}

export interface Catalogue {
  algorithms: AlgorithmEntry[]
  worldOptions: WorldOption[]
  properties: Named[]
  faultKinds: Named[]
}

/** A value of a state or of a message: a record is an object with `type`, a node is its id or its name. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json }

/** A record of the trace: an object with the simple name of its class as `type`. */
export interface TypedJson {
  type: string
  [key: string]: Json
}

export interface InFlightMessage {
  number: number
  from: string
  to: string
  message: TypedJson
}

/** What every event of a trace has: a time in `at`, or in `step` for a run that is given move by move. */
export interface EventBase {
  at?: number
  step?: number
  /** The event as the command line prints it; empty if it prints nothing. */
  text?: string[]
}

export interface StartedEvent extends EventBase {
  what: 'started'
  node: string
  how: 'FIRST' | 'WITH_MEMORY' | 'WITH_AMNESIA' | 'AS_NEW_MEMBER'
  state: Json
  effects: TypedJson[]
  sent: InFlightMessage[]
}

export interface StepEvent extends EventBase {
  what: 'step'
  node: string
  event: TypedJson
  /** The number of the received message; 0 if it is another event. */
  messageNumber: number
  state: Json
  effects: TypedJson[]
  sent: InFlightMessage[]
}

export interface FaultEvent extends EventBase {
  what: 'fault-injected'
  fault: TypedJson
}

export type OutcomeFate = 'LOST' | 'PARTITIONED' | 'RECEIVER_DOWN' | 'DUPLICATED'

export interface OutcomeEvent extends EventBase {
  what: 'message-outcome'
  message: InFlightMessage
  fate: OutcomeFate
}

export interface AppMessageEvent extends EventBase {
  what: 'app-message-sent' | 'app-message-received'
  message: InFlightMessage
}

export interface WroteEvent extends EventBase {
  what: 'wrote'
  node: string
  fence: number
  accepted: boolean
}

export interface ObservedEvent extends EventBase {
  what: 'observed'
  event: TypedJson
}

export interface PropertyEvent extends EventBase {
  what: 'violated' | 'not-guaranteed'
  property: string
  sentence: string
}

export type TraceEvent =
  | StartedEvent
  | StepEvent
  | FaultEvent
  | OutcomeEvent
  | AppMessageEvent
  | WroteEvent
  | ObservedEvent
  | PropertyEvent

export interface RunNode {
  id: string
  name: string
  /** Position in the unit square, y downwards. */
  x: number
  y: number
}

export type Verdict = 'holds' | 'violated' | 'open'

export interface RunProperty {
  name: string
  sentence: string
  /** Whether the algorithm guarantees it in this world, or `--require` names it. */
  required: boolean
  verdict: Verdict
  /** Whether the property is true in this run: `yes`, `no` or `open`. */
  answer: string
  /** The event that broke it, or -1. */
  brokenAt: number
}

export type MessageFate = 'delivered' | 'lost' | 'partitioned' | 'receiver-down' | 'duplicated' | 'in-flight'

export interface RunMessage {
  number: number
  type: string
  from: string
  to: string
  sentAt: number
  arrivedAt?: number
  fate: MessageFate
  sentIndex: number
  /** The event that delivers or drops it; absent if it is in flight at the end. */
  deliveredIndex?: number
  /** Whether it is the second copy of a duplicated message, which has the same number. */
  duplicate?: boolean
  /** Whether it is sent again and again, as a heartbeat is. */
  periodic?: boolean
}

export interface Run {
  /** The canonical command line, without `run`. */
  command: string
  /** The command for the JVM. */
  replay: string
  headline: string
  algorithm: string
  problem: Problem
  timeScale: 'millis' | 'steps'
  end: 'rest' | 'idle' | 'quiet' | 'settled' | 'limit' | 'violation' | 'last_move' | 'bug'
  /** The time of the end. A trace of a file does not have it. */
  endAt?: number
  steps?: number
  nodes: RunNode[]
  links: [string, string][]
  trace: TraceEvent[]
  /** The number of events of the run, of which a long one has more than its trace. */
  events?: number
  /** What the algorithm did that only a bug can cause. */
  bug?: string | null
  properties: RunProperty[]
  messages: RunMessage[]
  summary: string[]
  result: Json
}

export type InterventionKind =
  | 'crash'
  | 'restart'
  | 'amnesia'
  | 'pause'
  | 'resume'
  | 'partition'
  | 'heal'
  | 'lose'
  | 'duplicate'
  | 'delay'
  | 'acquire'
  | 'campaign'
  | 'move'

/** What a user does to a run at the cursor. */
export interface Intervention {
  kind: InterventionKind
  node?: string
  /** The sides of a partition. */
  groups?: string[][]
  message?: number
  /** By how much a message is delayed, in milliseconds. */
  by?: number
  /** By how many moves a message is delayed in a run that is given move by move. */
  moves?: number
  move?: string
}

export interface Forked {
  command: string
  /** Options that have no effect in the new run, and were left out. */
  dropped?: string[]
}

export interface Choice {
  move: string
  kind: string
  isFault: boolean
  node: string
  text: string
  message?: number
}

export interface Choices {
  /** Whether only the applications or faults can go on. */
  isAtRest: boolean
  moves: Choice[]
}

export interface CheckProgress {
  states: number
  perSecond: number
  depth: number
  [key: string]: number
}

export interface CheckedProperty {
  name: string
  sentence: string
  verdict: string
  required: boolean
  counterexample?: { command: string; steps?: number }
}

/** The document of `habemus check --json`, and what the page adds. */
export interface CheckReport {
  complete: boolean
  states: number
  transitions: number
  seconds: number
  properties: CheckedProperty[]
  /** The command line of the same check on the JVM. */
  command: string
  [key: string]: Json | CheckedProperty[]
}

export type DrawingKind = 'svg' | 'log-svg' | 'mermaid' | 'text' | 'trace-json' | 'scenario' | 'shiviz'

export interface Drawing {
  text: string
}

/** The document `sources`: the texts of all files, and which line of an algorithm handles which event. */
export interface Sources {
  files: Record<string, string>
  algorithms: Record<
    string,
    {
      files: string[]
      /** By event, such as `Acquire` or `Received Request`: the index of the file, and the line, counted from 1. */
      cases: Record<string, [number, number]>
    }
  >
}
