import type { Player } from '../state/player.svelte'
import type { RunModel } from '../state/run-model'
import type { Difference } from './differences'

interface Side {
  model: RunModel
  player: Player
}

/**
 * Keeps the cursors of two runs together: on the same event while the runs are equal, then at the same time.
 *
 * @returns how to end that
 */
export function link(left: Side, right: Side, difference: Difference | null): () => void {
  let isFollowing = false
  const follow = (leader: Side, follower: Side, end: number | undefined) => (position: number) => {
    if (isFollowing) {
      return
    }
    isFollowing = true
    follower.player.seekPosition(positionIn(follower.model, leader.model, position, end))
    isFollowing = false
  }
  const ends = [
    left.player.onFrame(follow(left, right, difference?.first)),
    right.player.onFrame(follow(right, left, difference?.second)),
  ]
  return () => ends.forEach((end) => end())
}

function positionIn(model: RunModel, leader: RunModel, position: number, end = leader.trace.length): number {
  const index = leader.indexAtPosition(position)
  if (index < end) {
    return model.positions[model.stops[Math.min(leader.stopAt(index), model.stops.length - 1)]]
  }
  return lastPositionAt(model, leader.timeAt(position))
}

/** The position of a time, after all events of this time. */
function lastPositionAt(model: RunModel, time: number): number {
  const position = model.positionOf(time)
  let stop = model.stopAt(model.indexAtPosition(position))
  while (stop + 1 < model.stops.length && model.times[model.stops[stop + 1]] <= time) {
    stop++
  }
  return Math.max(position, model.times[model.stops[stop]] <= time ? model.positions[model.stops[stop]] : 0)
}
