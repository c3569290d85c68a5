/** The names that differ least from a word, the nearest first. None if all of them differ in more than half. */
export function nearest(word: string, names: string[], most = 3): string[] {
  return names
    .map((name) => ({ name, distance: name.includes(word) && word.length > 2 ? 0 : editDistance(word, name) }))
    .filter(({ name, distance }) => distance <= Math.max(word.length, name.length) / 2)
    .sort((a, b) => a.distance - b.distance)
    .slice(0, most)
    .map(({ name }) => name)
}

/** How many characters must be inserted, removed or replaced to make one word of the other. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      next.push(Math.min(row[j] + 1, next[j - 1] + 1, row[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1)))
    }
    row = next
  }
  return row[b.length]
}
