/** Answers up to this length are compared as they are. */
const SHORT = 200

/** A short text that differs if the answer differs, except for how long it took: its length and its FNV-1a hash. */
export function digest(answer) {
  const text = answer.replace(/"seconds":[^,}]*/g, '')
  if (text.length <= SHORT) {
    return text
  }
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) {
    hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  }
  return `${text.length} characters, hash ${(hash >>> 0).toString(16)}`
}
