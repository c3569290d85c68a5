import type { Intervention } from '../engine/protocol'
import type { Message, RunModel } from '../state/run-model'

export type NodeAction = 'crash' | 'restart' | 'amnesia' | 'pause' | 'resume' | 'acquire' | 'campaign'

/** What a user can do to a node at the cursor, in the order of the menu. */
export function nodeActions(model: RunModel, node: number, index: number): NodeAction[] {
  const { health } = model.conditionAt(node, index)
  switch (health.kind) {
    case 'down':
      return ['restart', 'amnesia']
    case 'absent':
      return []
    case 'paused':
      return ['resume', 'crash']
    case 'up':
      return [...requests(model), 'crash', 'pause']
  }
}

function requests(model: RunModel): NodeAction[] {
  switch (model.run.problem) {
    case 'mutex':
      return ['acquire']
    case 'election':
      return ['campaign']
    default:
      return []
  }
}

/** What a user can do to a message. In a run that is given move by move, one that never arrives has no delay. */
export function messageActions(model: RunModel, message: Message): ('lose' | 'duplicate' | 'delay')[] {
  const canArriveLater = model.run.timeScale === 'millis' || message.deliveredIndex !== undefined
  return canArriveLater ? ['lose', 'duplicate', 'delay'] : ['lose', 'duplicate']
}

/** The messages on their way after an event, in the order in which they were sent. */
export function messagesInFlight(model: RunModel, index: number): Message[] {
  return model.messages.filter((message) => isInFlight(message, index))
}

export function isInFlight({ sentIndex, deliveredIndex }: Message, index: number): boolean {
  return sentIndex <= index && (deliveredIndex === undefined || index < deliveredIndex)
}

/** Separates some nodes from all others. */
export function partition(model: RunModel, side: number[]): Intervention {
  const ids = (isOnSide: boolean) =>
    model.nodes.flatMap((node, i) => (side.includes(i) === isOnSide ? [node.id] : []))
  return { kind: 'partition', groups: [ids(true), ids(false)] }
}
