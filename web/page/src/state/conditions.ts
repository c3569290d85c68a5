import type { TraceEvent, TypedJson } from '../engine/protocol'
import type { RunModel } from './run-model'

export type Role = 'idle' | 'waiting' | 'holding' | 'leading' | 'following' | 'suspecting'

export type Health = 'up' | 'down' | 'paused' | 'absent'

export type ConditionKind = Role | Health

/** What a node does or waits for, from one event of the trace up to another, which is not included. */
export interface Condition<K extends ConditionKind = ConditionKind> {
  kind: K
  from: number
  to: number
  /** The leader that the node follows, or the peers that it suspects. */
  peers: string[]
  /** The term of a leader, or the fence of a holder. */
  number: number | null
  /** Whether at most one node should have this condition at a time. */
  isExclusive: boolean
}

/** The conditions of a node, in order of their start. A paused node keeps its role. */
export interface NodeConditions {
  roles: Condition<Role>[]
  healths: Condition<Health>[]
}

type State<K extends ConditionKind> = Omit<Condition<K>, 'from' | 'to'>

const PLAIN = { peers: [] as string[], number: null, isExclusive: false }
const IDLE: State<Role> = { ...PLAIN, kind: 'idle' }
const WAITING: State<Role> = { ...PLAIN, kind: 'waiting' }

/** Derives the conditions of all nodes from the steps and the faults of a trace. */
export function conditionsOf(model: Pick<RunModel, 'nodes' | 'trace' | 'nodeOf' | 'indexOf'>): NodeConditions[] {
  const end = model.trace.length
  const all: NodeConditions[] = model.nodes.map(() => ({
    roles: [{ ...IDLE, from: 0, to: end }],
    healths: [{ ...PLAIN, kind: 'up', from: 0, to: end }],
  }))

  const roleOf = (node: number) => all[node].roles[all[node].roles.length - 1]
  const healthOf = (node: number) => all[node].healths[all[node].healths.length - 1].kind
  const setRole = (node: number, index: number, role: State<Role>) => append(all[node].roles, role, index, end)
  const setHealth = (node: number, index: number, kind: Health) =>
    append(all[node].healths, { ...PLAIN, kind }, index, end)

  for (const event of model.trace) {
    if (event.what === 'started' && event.how === 'AS_NEW_MEMBER') {
      setHealth(model.indexOf(event.node), 0, 'absent')
    }
  }
  model.trace.forEach((event, index) => {
    if (event.what === 'fault-injected') {
      applyFault(event.fault, index)
      return
    }
    const node = model.nodeOf[index]
    if (node < 0) {
      return
    }
    if (event.what === 'started') {
      setRole(node, index, IDLE)
      setHealth(node, index, 'up')
      applyEffects(event.effects, node, index)
    } else if (event.what === 'step') {
      applyStep(event, node, index)
      applyEffects(event.effects, node, index)
    }
  })
  return all

  function applyStep(event: Extract<TraceEvent, { what: 'step' }>, node: number, index: number) {
    const { kind } = roleOf(node)
    switch (event.event.type) {
      case 'Acquire':
        return setRole(node, index, WAITING)
      case 'Release':
        return setRole(node, index, IDLE)
      case 'Leave':
        setRole(node, index, IDLE)
        return setHealth(node, index, 'absent')
      case 'Campaign':
        if (kind === 'idle' || kind === 'suspecting') {
          setRole(node, index, WAITING)
        }
    }
  }

  function applyEffects(effects: TypedJson[], node: number, index: number) {
    for (const effect of effects) {
      switch (effect.type) {
        case 'Grant':
          setRole(node, index, { ...PLAIN, kind: 'holding', number: Number(effect.fence), isExclusive: true })
          break
        case 'Elected': {
          const leads = model.indexOf(String(effect.leader)) === node
          const peers = leads ? [] : [String(effect.leader)]
          const kind = leads ? 'leading' : 'following'
          setRole(node, index, { kind, peers, number: Number(effect.term), isExclusive: leads })
          break
        }
        case 'Lost':
          setRole(node, index, IDLE)
          break
        case 'Suspect':
        case 'Restore':
          suspect(String(effect.peer), effect.type === 'Suspect', node, index)
          break
        case 'Report':
          applyMilestone(effect.milestone as TypedJson, node, index)
      }
    }
  }

  function applyMilestone(milestone: TypedJson, node: number, index: number) {
    switch (milestone?.type) {
      case 'Requested':
        return setRole(node, index, WAITING)
      case 'Entered':
        return setRole(node, index, { ...PLAIN, kind: 'holding', isExclusive: milestone.limit === 1 })
      case 'Exited':
        return setRole(node, index, IDLE)
    }
  }

  /** Suspicions are shown only for a node without another role. */
  function suspect(peer: string, isSuspected: boolean, node: number, index: number) {
    const role = roleOf(node)
    if (role.kind === 'idle' || role.kind === 'suspecting') {
      const others = role.peers.filter((other) => other !== peer)
      const peers = isSuspected ? [...others, peer] : others
      setRole(node, index, peers.length > 0 ? { ...PLAIN, kind: 'suspecting', peers } : IDLE)
    }
  }

  function applyFault(fault: TypedJson, index: number) {
    const node = typeof fault.node === 'string' ? model.indexOf(fault.node) : -1
    if (fault.type === 'Heal') {
      model.nodes.forEach((_, each) => resume(each, index))
    } else if (node >= 0 && fault.type === 'Crash') {
      setRole(node, index, IDLE)
      setHealth(node, index, 'down')
    } else if (node >= 0 && fault.type === 'Pause' && healthOf(node) === 'up') {
      setHealth(node, index, 'paused')
    } else if (node >= 0 && fault.type === 'Resume') {
      resume(node, index)
    }
  }

  function resume(node: number, index: number) {
    if (healthOf(node) === 'paused') {
      setHealth(node, index, 'up')
    }
  }
}

/** Starts a condition and ends the one before. Two conditions of one event leave the second. */
function append<K extends ConditionKind>(conditions: Condition<K>[], state: State<K>, index: number, end: number) {
  const last = conditions[conditions.length - 1]
  if (last.kind === state.kind && last.number === state.number && last.peers.join() === state.peers.join()) {
    return
  }
  if (last.from === index) {
    conditions.pop()
  } else {
    last.to = index
  }
  conditions.push({ ...state, from: index, to: end })
}
