import type { Snippet } from 'svelte'
import type { ConditionKind } from '../state/conditions'
import type { Message } from '../state/run-model'

/** Pictograms of conditions on a grid of 24, filled. */
export const CONDITION_MARKS: Record<ConditionKind, string> = {
  up: '',
  idle: 'M9 12a3 3 0 106 0a3 3 0 10-6 0z',
  following: 'M11 5.500l7 6.500-7 6.500v-4.500H5.500v-4H11z',
  waiting: 'M6 3h12v3.500l-4.200 5.500 4.200 5.500V21H6v-3.500l4.200-5.500L6 6.500z',
  holding: 'M7 10V8a5 5 0 0110 0v2h1.500v10.500h-13V10zm2.300 0h5.400V8a2.700 2.700 0 00-5.400 0z',
  leading: 'M3.500 18.500L2.500 7.500l5 3.800L12 4l4.500 7.300 5-3.800-1 11z',
  suspecting: 'M8 8.500a4 4 0 117 2.700c-1.200 1.200-1.700 1.600-1.700 3.300h-2.600c0-2.600 1-3.400 2-4.400a1.700 1.700 0 10-2.300-1.600zM10.600 16.500h2.800v2.800h-2.800z',
  down: 'M5.500 3.500L12 10l6.500-6.500 2 2L14 12l6.500 6.500-2 2L12 14l-6.500 6.500-2-2L10 12 3.500 5.500z',
  paused: 'M7 4.500h3.500v15H7zM13.500 4.500H17v15h-3.500z',
  absent: 'M5 10.700h14v2.600H5z',
}

/** Shapes of messages around the origin. With the colour they tell the types apart. */
const SHAPES = [
  'M-5.500 0a5.500 5.500 0 1011 0a5.500 5.500 0 10-11 0z',
  'M-5-5h10v10h-10z',
  'M0-7L7 0 0 7-7 0z',
  'M0-6.500L6.500 5h-13z',
  'M0 6.500L6.500-5h-13z',
  'M-6.500-2.500h4v-4h5v4h4v5h-4v4h-5v-4h-4z',
]

export const MESSAGE_COLOURS = 6

export function messageShape(typeNumber: number): string {
  return SHAPES[Math.max(0, typeNumber) % SHAPES.length]
}

export function messageColour(typeNumber: number): string {
  return `var(--message-${Math.max(0, typeNumber) % MESSAGE_COLOURS})`
}

/** Where a user asked for the actions on a node: in pixels of the window. */
export interface NodeTarget {
  node: number
  x: number
  y: number
}

/** Where a user asked for the actions on a message. */
export interface MessageTarget {
  message: Message
  x: number
  y: number
}

/** What is drawn over the topology: where the nodes are, and the size of the drawing. */
export type TopologyOverlay = Snippet<[{ x: number; y: number }[], number, number]>

export type NodeHandler = (target: NodeTarget) => void
export type MessageHandler = (target: MessageTarget) => void
