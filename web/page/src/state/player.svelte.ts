import { prefersStill } from './appearance.svelte'
import type { RunModel } from './run-model'

export const SPEEDS = [0.25, 0.5, 1, 2, 4, 8, 16, 64]

/** Units of the axis of events in a second, at speed 1. */
const UNITS_PER_SECOND = 1.6
const STEP_MILLIS = 260
/** A step over more units than this jumps. */
const LONGEST_GLIDE = 4

/**
 * The cursor in a run, which all views share.
 *
 * `index` is the event of the trace that happened last. What moves between two events reads `position` in `onFrame`,
 * without a reactive update a frame.
 */
export class Player {
  index: number = $state(0)
  isPlaying: boolean = $state(false)
  speed: number = $state(1)
  /** The selected node. */
  node: number = $state(0)
  /** The event whose causes and effects are shown, or -1. */
  pinned: number = $state(-1)
  /** The event from which this run differs from the one beside it, or -1. */
  mark: number = $state(-1)
  readonly #model: RunModel
  readonly #listeners = new Set<(position: number) => void>()
  #position: number
  #glide: { from: number; to: number; start: number } | undefined
  #request = 0
  #lastFrame = 0

  constructor(model: RunModel, index = model.first) {
    this.#model = model
    this.index = model.stops[model.stopAt(index)]
    this.#position = model.positions[this.index]
  }

  /** Where the run is drawn, on the axis of events. */
  get position(): number {
    return this.#position
  }

  get isAtEnd(): boolean {
    return this.index >= this.#model.last
  }

  get isAtStart(): boolean {
    return this.index <= this.#model.first
  }

  /** Calls the listener now and at every frame that moves. Returns how to end that. */
  onFrame(listener: (position: number) => void): () => void {
    this.#listeners.add(listener)
    listener(this.#position)
    return () => this.#listeners.delete(listener)
  }

  /** Puts the cursor on an event. */
  seek(index: number) {
    this.#glide = undefined
    this.#show(this.#model.stops[this.#model.stopAt(index)])
    this.#moveTo(this.#model.positions[this.index])
  }

  /** Puts the cursor on a position between events, as the slider does. */
  seekPosition(position: number) {
    this.#glide = undefined
    this.#moveTo(Math.min(Math.max(position, 0), this.#model.length))
    this.#show(this.#model.indexAtPosition(this.#position))
  }

  step(direction: 1 | -1) {
    this.pause()
    const stops = this.#model.stops
    const next = this.#model.stopAt(this.index) + direction
    if (next >= 0 && next < stops.length) {
      this.#glideTo(stops[next])
    }
  }

  /** Goes to the next step of the selected node, or to the one before. */
  stepNode(direction: 1 | -1) {
    this.pause()
    const next = this.#model.neighbour(this.node, this.index, direction)
    if (next >= 0) {
      this.#glideTo(next)
    }
  }

  toStart() {
    this.pause()
    this.seek(this.#model.first)
  }

  toEnd() {
    this.pause()
    this.seek(this.#model.last)
  }

  play() {
    if (this.isAtEnd) {
      this.seek(this.#model.first)
    }
    this.isPlaying = true
    this.#schedule()
  }

  pause() {
    if (this.isPlaying) {
      this.isPlaying = false
      this.#moveTo(this.#model.positions[this.index])
    }
  }

  toggle() {
    if (this.isPlaying) {
      this.pause()
    } else {
      this.play()
    }
  }

  changeSpeed(direction: 1 | -1) {
    const at = SPEEDS.indexOf(this.speed) + direction
    this.speed = SPEEDS[Math.min(Math.max(at, 0), SPEEDS.length - 1)]
  }

  /** Pins an event, or releases it if it is pinned. */
  pin(index: number) {
    this.pinned = this.pinned === index ? -1 : index
  }

  /** Ends all movement. A player that is no longer shown must be closed. */
  close() {
    cancelAnimationFrame(this.#request)
    this.#request = 0
    this.isPlaying = false
    this.#listeners.clear()
  }

  #glideTo(index: number) {
    const to = this.#model.positions[index]
    this.#show(index)
    if (prefersStill.matches || Math.abs(to - this.#position) > LONGEST_GLIDE) {
      this.#glide = undefined
      this.#moveTo(to)
      return
    }
    this.#glide = { from: this.#position, to, start: performance.now() }
    this.#schedule()
  }

  #show(index: number) {
    if (index !== this.index) {
      this.index = index
      const node = this.#model.nodeOf[index]
      if (this.isFollowing && node >= 0) {
        this.node = node
      }
    }
  }

  /** Whether the selected node is that of the cursor's event. */
  isFollowing: boolean = $state(false)

  #moveTo(position: number) {
    this.#position = position
    for (const listener of this.#listeners) {
      listener(position)
    }
  }

  #schedule() {
    if (this.#request === 0) {
      this.#lastFrame = performance.now()
      this.#request = requestAnimationFrame((now) => this.#frame(now))
    }
  }

  #frame(now: number) {
    this.#request = 0
    const elapsed = Math.min(100, now - this.#lastFrame)
    this.#lastFrame = now
    if (this.isPlaying) {
      this.#glide = undefined
      const next = Math.min(this.#model.length, this.#position + (elapsed / 1000) * this.speed * UNITS_PER_SECOND)
      const index = this.#model.indexAtPosition(next)
      this.#position = next
      this.#show(index)
      this.#moveTo(prefersStill.matches ? this.#model.positions[index] : next)
      this.#position = next
      if (next >= this.#model.length) {
        this.isPlaying = false
      }
    } else if (this.#glide) {
      const share = Math.min(1, (now - this.#glide.start) / STEP_MILLIS)
      const eased = 1 - (1 - share) ** 3
      this.#moveTo(this.#glide.from + eased * (this.#glide.to - this.#glide.from))
      if (share >= 1) {
        this.#glide = undefined
      }
    }
    if (this.isPlaying || this.#glide) {
      this.#request = requestAnimationFrame((next) => this.#frame(next))
    }
  }
}
