// Replays games with the npm package @sabaki/go-board, for benches/rules.rs to compare with.
//
// Reads {"seconds", "games": [{"id", "side", "setup_black": [[x, y]], "plays": [[sign, x, y]]}]} from standard input.
// Writes {"moves", "seconds"} or {"error"} to standard output. Every check that the package has is on: occupied
// points, suicide and simple ko. It has no superko.

import { readFileSync } from 'node:fs'

const answer = (value) => process.stdout.write(JSON.stringify(value) + '\n')

const load = async () => {
  try {
    return (await import('@sabaki/go-board')).default
  } catch (error) {
    if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error
    return null
  }
}

const checks = { preventOverwrite: true, preventSuicide: true, preventKo: true }

const replay = (start, plays) => {
  let board = start
  for (const [sign, x, y] of plays) board = board.makeMove(sign, [x, y], checks)
  return board
}

// Read before anything can fail, so that the writer never finds a closed pipe.
const { seconds, games } = JSON.parse(readFileSync(0, 'utf8'))
const GoBoard = await load()
if (GoBoard === null) {
  answer({ error: 'the package @sabaki/go-board is not installed; run `npm install`' })
} else {
  const starts = games.map(({ side, setup_black }) => {
    const board = GoBoard.fromDimensions(side)
    for (const vertex of setup_black) board.set(vertex, 1)
    return board
  })
  const began = performance.now()
  let moves = 0
  while (performance.now() - began < seconds * 1000) {
    games.forEach(({ plays }, index) => {
      replay(starts[index], plays)
      moves += plays.length
    })
  }
  answer({ moves, seconds: (performance.now() - began) / 1000 })
}
