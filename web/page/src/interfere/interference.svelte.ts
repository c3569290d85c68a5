import { engine } from '../engine/engine'
import type { Choice, Intervention, InterventionKind } from '../engine/protocol'
import { t } from '../i18n/text.svelte'
import type { Player } from '../state/player.svelte'
import { route, type Parameters } from '../state/route.svelte'
import type { Message, RunModel } from '../state/run-model'
import type { MessageTarget, NodeTarget } from '../views/marks'
import { isInFlight, messageActions, messagesInFlight, nodeActions, partition } from './actions'
import {
  addFork,
  formatTree,
  indexOf,
  isWithin,
  parseTree,
  renamed,
  treeOf,
  withCommand,
  withoutFork,
  type Cause,
  type ForkTree,
} from './fork-tree'
import { causeLabel, messageLabel } from './labels'
import { movesOf, withoutLastMove } from './moves'

export interface ShownRun {
  model: RunModel
  player: Player
}

export interface MenuItem {
  text: string
  run: () => void
  /** If present, the item asks first by how much. */
  withDelay?: (delay: number) => void
  /** The unit of the delay. */
  unit?: 'ms' | 'steps'
}

export interface Menu {
  title: string
  items: MenuItem[]
  x: number
  y: number
}

/** What the address keeps when another run of the tree is shown. */
const KEPT = ['v', 'tab', 'node', 'free', 'b']

/** Makes forks of the shown run at its cursor. The tree of forks is in the address. */
export class Interference {
  menu: Menu | null = $state.raw(null)
  /** Whether the user draws a partition now. */
  isCutting: boolean = $state(false)
  /** The nodes of one side of the partition that the user draws. */
  side: number[] = $state([])
  /** Why the last intervention was not possible. */
  failure: Error | null = $state.raw(null)
  /** For screen readers. */
  announcement: string = $state('')
  /** What may happen next in a run that is given move by move. */
  choices: Choice[] = $state.raw([])

  readonly tree: ForkTree = $derived.by(() => {
    const line = this.line
    const tree = route.parameters.f ? parseTree(route.parameters.f) : null
    return tree && indexOf(tree, line) >= 0 ? tree : treeOf(line)
  })
  readonly selected: number = $derived.by(() => indexOf(this.tree, this.line))
  /** The run in the second column: an index of the tree, or -1. */
  readonly beside: number = $derived.by(() => {
    const index = route.parameters.b === undefined ? -1 : Number(route.parameters.b)
    return this.tree[index] && index !== this.selected ? index : -1
  })
  readonly moves: string[] | null = $derived.by(() => movesOf(this.line))
  readonly isFree: boolean = $derived.by(() => route.parameters.free !== undefined && this.moves !== null)

  /** An imported trace has no command line, so it has no forks. */
  readonly isPossible: boolean = $derived.by(() => route.parameters.t === undefined)

  readonly #line: () => string
  readonly #shown: () => ShownRun | null

  constructor(line: () => string, shown: () => ShownRun | null) {
    this.#line = line
    this.#shown = shown
  }

  get line(): string {
    return this.#line()
  }

  readonly onnode = ({ node, x, y }: NodeTarget) => {
    const run = this.#shown()
    if (run && this.isPossible && !this.isCutting) {
      run.player.pause()
      this.menu = { title: run.model.name(node), items: this.#nodeItems(run, node), x, y }
    }
  }

  readonly onmessage = ({ message, x, y }: MessageTarget) => {
    const run = this.#shown()
    if (run && this.isPossible && !this.isCutting) {
      run.player.pause()
      this.menu = { title: messageLabel(run.model, message), items: this.#messageItems(run, message), x, y }
    }
  }

  /** Offers the messages in flight, for those who do not use a mouse. */
  openMessages(x: number, y: number) {
    const run = this.#shown()
    if (run) {
      const items = messagesInFlight(run.model, run.player.index).map((message) => ({
        text: messageLabel(run.model, message),
        run: () => this.onmessage({ message, x, y }),
      }))
      this.menu = { title: t('interfere.inFlight'), items, x, y }
    }
  }

  #nodeItems(run: ShownRun, node: number): MenuItem[] {
    const { model, player } = run
    const name = model.name(node)
    const items = this.#choiceItems((choice) => model.indexOf(choice.node) === node)
    for (const kind of this.isFree ? [] : nodeActions(model, node, player.index)) {
      items.push({
        text: t(`interfere.${kind}`),
        run: () => this.#fork({ kind, node: model.nodes[node].id }, kind, name),
      })
    }
    if (model.nodes.length > 1) {
      items.push({ text: t('interfere.cutOff'), run: () => this.cut([node]) })
    }
    if (model.cutsAt(player.index).length > 0) {
      items.push({ text: t('interfere.heal'), run: () => this.heal() })
    }
    return items
  }

  #messageItems(run: ShownRun, message: Message): MenuItem[] {
    const { model, player } = run
    const items = this.#choiceItems((choice) => choice.message === message.number && !choice.isFault)
    const cursor = isInFlight(message, player.index) ? player.index : message.sentIndex
    const subject = messageLabel(model, message)
    const unit = model.run.timeScale === 'steps' ? 'steps' : 'ms'
    for (const kind of messageActions(model, message)) {
      const delay = (by?: number) => by && (unit === 'steps' ? { moves: by } : { by })
      const fork = (by?: number) =>
        this.#fork({ kind, message: message.number, ...delay(by) }, kind, subject, cursor, by)
      items.push(
        kind === 'delay'
          ? { text: t('interfere.delay'), run: () => {}, withDelay: fork, unit }
          : { text: t(`interfere.${kind}`), run: () => fork() },
      )
    }
    if (cursor !== player.index) {
      items.push({ text: t('interfere.toSending'), run: () => player.seek(message.sentIndex) })
    }
    return items
  }

  #choiceItems(isOffered: (choice: Choice) => boolean): MenuItem[] {
    const choices = this.isFree ? this.choices.filter(isOffered) : []
    return choices.map((choice) => ({ text: choice.text, run: () => void this.choose(choice) }))
  }

  startCutting() {
    this.side = []
    this.isCutting = true
  }

  cut(side: number[]) {
    const run = this.#shown()
    this.isCutting = false
    if (run) {
      const nodes = side.map((node) => run.model.name(node)).join(' ')
      void this.#fork(partition(run.model, side), 'partition', nodes)
    }
  }

  heal() {
    void this.#fork({ kind: 'heal' }, 'heal', '')
  }

  async #fork(intervention: Intervention, kind: InterventionKind, subject: string, cursor?: number, by?: number) {
    const run = this.#shown()
    if (!run) {
      return
    }
    const index = cursor ?? run.player.index
    const cause: Cause = { kind, subject, at: run.model.times[index], ...(by && { by }) }
    await this.#attempt(async () => {
      const { command } = await engine.fork(this.line, index, intervention)
      this.#show(addFork(this.tree, this.selected, command, cause), command, index)
      this.announcement = t('interfere.forked', { label: causeLabel(cause, run.model.run.timeScale) })
    })
  }

  /** Starts a run in which the user chooses every step. */
  async startFree() {
    if (this.moves !== null) {
      route.replace({ free: '1' })
      return
    }
    await this.#attempt(async () => {
      const { command, dropped } = await engine.toMoves(this.line)
      const tree = addFork(this.tree, this.selected, command, { kind: 'free', subject: '', at: 0 })
      this.#show(tree, command, undefined, { free: '1' })
      this.announcement = dropped?.length ? t('free.dropped', { options: dropped.join(' ') }) : t('free.started')
    })
  }

  stopFree() {
    route.replace({ free: '' })
  }

  /** Makes the next move. At the end of the run the run grows; before it, the run is forked. */
  async choose(choice: Choice) {
    const run = this.#shown()
    if (!run) {
      return
    }
    const { model, player } = run
    const index = player.isAtEnd ? model.trace.length - 1 : player.index
    const cause: Cause = { kind: 'move', subject: choice.text, at: model.times[index] }
    await this.#attempt(async () => {
      const { command } = await engine.fork(this.line, index, { kind: 'move', move: choice.move })
      const hasForks = this.tree.some((fork) => fork.parent === this.selected)
      const isGrowing = player.isAtEnd && !hasForks && this.selected > 0
      const tree = isGrowing
        ? withCommand(this.tree, this.selected, command)
        : addFork(this.tree, this.selected, command, cause)
      this.#show(tree, command, 'last')
      this.announcement = choice.text
    })
  }

  /** Takes the last move back. */
  takeBack() {
    const command = withoutLastMove(this.line)
    if (command !== null) {
      const hasForks = this.tree.some((fork) => fork.parent === this.selected)
      const tree = hasForks
        ? addFork(this.tree, this.selected, command, { kind: 'free', subject: '', at: 0 })
        : withCommand(this.tree, this.selected, command)
      this.#show(tree, command, 'last')
    }
  }

  get canUndo(): boolean {
    return this.selected > 0
  }

  /** Shows the run that the current one was forked from. */
  undo() {
    if (this.canUndo) {
      this.select(this.tree[this.selected].parent)
      this.announcement = t('interfere.undone')
    }
  }

  /** Shows a run of the tree. The cursor stays where it is. */
  select(index: number) {
    this.#show(this.tree, this.tree[index].command, this.#shown()?.player.index)
  }

  rename(index: number, name: string) {
    route.replace({ f: formatTree(renamed(this.tree, index, name)) })
  }

  delete(index: number) {
    const { tree, selected } = this
    const parent = tree[index].parent
    const next = withoutFork(tree, index)
    const shown = isWithin(tree, selected, index) ? tree[parent].command : this.line
    const other = this.beside >= 0 && !isWithin(tree, this.beside, index) ? tree[this.beside].command : ''
    const beside = other ? String(indexOf(next, other)) : ''
    this.#show(next, shown, this.#shown()?.player.index, { b: beside })
  }

  /** Shows a run of the tree in a second column, or none. */
  putBeside(index: number) {
    route.replace({ b: index < 0 ? '' : String(index) })
  }

  swap() {
    const { tree, selected, beside } = this
    this.#show(tree, tree[beside].command, this.#shown()?.player.index, { b: String(selected) })
  }

  #show(tree: ForkTree, command: string, cursor: number | 'last' | undefined, changes: Parameters = {}) {
    const kept = Object.fromEntries(KEPT.flatMap((name) => (name in route.parameters ? [[name, route.parameters[name]]] : [])))
    const at = cursor === undefined ? '' : String(cursor)
    const parameters = { ...kept, c: command, f: formatTree(tree), at, ...changes }
    this.failure = null
    route.go('run', Object.fromEntries(Object.entries(parameters).filter(([, value]) => value !== '')))
  }

  async #attempt(action: () => Promise<void>) {
    this.failure = null
    try {
      await action()
    } catch (reason) {
      this.failure = reason as Error
    }
  }
}
