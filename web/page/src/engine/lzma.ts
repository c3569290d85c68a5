/**
 * Decoder of LZMA, format `.lzma` ("LZMA alone") with a known size.
 *
 * The names are those of the LZMA specification. A probability is a share of 2,048 that the next bit is 0.
 */
const HEADER_BYTES = 13
const TOP = 0x1000000
const HALF = 1024
const MATCH_MIN = 2
const STATES = 12
const POSITION_STATES = 16
const LENGTH_TO_POSITION_STATES = 4
const END_POSITION_MODEL = 14
const FULL_DISTANCES = 128
const ALIGN_BITS = 4

/** Offsets of the probabilities of a length: two choices, then the trees of 8, 8 and 256 lengths. */
const LENGTH_LOW = 2
const LENGTH_MID = LENGTH_LOW + (POSITION_STATES << 3)
const LENGTH_HIGH = LENGTH_MID + (POSITION_STATES << 3)
const LENGTH_SIZE = LENGTH_HIGH + 256

/** Offsets in the array that has the probabilities of all models. */
const IS_MATCH = 0
const IS_REP = IS_MATCH + STATES * POSITION_STATES
const IS_REP_G0 = IS_REP + STATES
const IS_REP_G1 = IS_REP_G0 + STATES
const IS_REP_G2 = IS_REP_G1 + STATES
const IS_REP0_LONG = IS_REP_G2 + STATES
const POSITION_SLOT = IS_REP0_LONG + STATES * POSITION_STATES
const POSITION = POSITION_SLOT + (LENGTH_TO_POSITION_STATES << 6)
const ALIGN = POSITION + FULL_DISTANCES
const LENGTH = ALIGN + (1 << ALIGN_BITS)
const REP_LENGTH = LENGTH + LENGTH_SIZE
const LITERAL = REP_LENGTH + LENGTH_SIZE

export function decodeLzma(input: Uint8Array): Uint8Array<ArrayBuffer> {
  const contextBits = input[0] % 9
  const rest = (input[0] - contextBits) / 9
  const literalMask = (1 << (rest % 5)) - 1
  const positionMask = (1 << Math.floor(rest / 5)) - 1
  const size = new DataView(input.buffer, input.byteOffset).getUint32(5, true)
  const output = new Uint8Array(size)
  const probabilities = new Uint16Array(LITERAL + (0x300 << (contextBits + (rest % 5)))).fill(HALF)

  let next = HEADER_BYTES
  let range = -1 >>> 0
  let code = 0
  for (let i = 0; i < 5; i++) {
    code = ((code << 8) | input[next++]) >>> 0
  }

  function bit(model: number): number {
    const probability = probabilities[model]
    const bound = (range >>> 11) * probability
    let value = 0
    if (code < bound) {
      range = bound
      probabilities[model] = probability + ((2048 - probability) >>> 5)
    } else {
      range -= bound
      code -= bound
      probabilities[model] = probability - (probability >>> 5)
      value = 1
    }
    if (range < TOP) {
      range = (range << 8) >>> 0
      code = ((code << 8) | input[next++]) >>> 0
    }
    return value
  }

  function tree(models: number, bits: number): number {
    let node = 1
    for (let i = 0; i < bits; i++) {
      node = (node << 1) | bit(models + node)
    }
    return node - (1 << bits)
  }

  function reverseTree(models: number, bits: number): number {
    let node = 1
    let value = 0
    for (let i = 0; i < bits; i++) {
      const each = bit(models + node)
      node = (node << 1) | each
      value |= each << i
    }
    return value
  }

  function directBits(bits: number): number {
    let value = 0
    for (let i = 0; i < bits; i++) {
      range >>>= 1
      const each = code >= range ? 1 : 0
      code -= each * range
      if (range < TOP) {
        range = (range << 8) >>> 0
        code = ((code << 8) | input[next++]) >>> 0
      }
      value = (value << 1) | each
    }
    return value
  }

  function length(models: number, position: number): number {
    if (bit(models) === 0) {
      return MATCH_MIN + tree(models + LENGTH_LOW + (position << 3), 3)
    }
    if (bit(models + 1) === 0) {
      return MATCH_MIN + 8 + tree(models + LENGTH_MID + (position << 3), 3)
    }
    return MATCH_MIN + 16 + tree(models + LENGTH_HIGH, 8)
  }

  function distance(matched: number): number {
    const state = Math.min(matched - MATCH_MIN, LENGTH_TO_POSITION_STATES - 1)
    const slot = tree(POSITION_SLOT + (state << 6), 6)
    if (slot < 4) {
      return slot
    }
    const bits = (slot >> 1) - 1
    const base = (2 | (slot & 1)) << bits
    return slot < END_POSITION_MODEL
      ? base + reverseTree(POSITION + base - slot, bits)
      : base + (directBits(bits - ALIGN_BITS) << ALIGN_BITS) + reverseTree(ALIGN, ALIGN_BITS)
  }

  function literal(at: number, state: number, matchByte: number): number {
    const previous = at > 0 ? output[at - 1] : 0
    const context = ((at & literalMask) << contextBits) + (previous >> (8 - contextBits))
    const models = LITERAL + 0x300 * context
    let symbol = 1
    if (state >= 7) {
      let match = matchByte
      while (symbol < 0x100) {
        const matchBit = (match >> 7) & 1
        match <<= 1
        const each = bit(models + ((1 + matchBit) << 8) + symbol)
        symbol = (symbol << 1) | each
        if (matchBit !== each) {
          break
        }
      }
    }
    while (symbol < 0x100) {
      symbol = (symbol << 1) | bit(models + symbol)
    }
    return symbol & 0xff
  }

  let state = 0
  let rep0 = 0
  let rep1 = 0
  let rep2 = 0
  let rep3 = 0
  let at = 0
  while (at < size) {
    const position = at & positionMask
    if (bit(IS_MATCH + (state << 4) + position) === 0) {
      output[at] = literal(at, state, output[at - rep0 - 1])
      at++
      state = state < 4 ? 0 : state < 10 ? state - 3 : state - 6
      continue
    }
    let count: number
    if (bit(IS_REP + state) === 0) {
      rep3 = rep2
      rep2 = rep1
      rep1 = rep0
      count = length(LENGTH, position)
      state = state < 7 ? 7 : 10
      rep0 = distance(count)
    } else {
      let isShort = false
      if (bit(IS_REP_G0 + state) === 0) {
        isShort = bit(IS_REP0_LONG + (state << 4) + position) === 0
      } else {
        let repeated = rep1
        if (bit(IS_REP_G1 + state) === 1) {
          repeated = rep2
          if (bit(IS_REP_G2 + state) === 1) {
            repeated = rep3
            rep3 = rep2
          }
          rep2 = rep1
        }
        rep1 = rep0
        rep0 = repeated
      }
      count = isShort ? 1 : length(REP_LENGTH, position)
      state = isShort ? (state < 7 ? 9 : 11) : state < 7 ? 8 : 11
    }
    if (rep0 >= at) {
      throw new Error('the compressed block is damaged')
    }
    const end = Math.min(size, at + count)
    for (; at < end; at++) {
      output[at] = output[at - rep0 - 1]
    }
  }
  return output
}
