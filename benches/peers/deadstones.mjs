// Judges positions with the npm package @sabaki/deadstones, for benches/judge.rs to compare with.
//
// Reads {"positions": [[[sign]]]}, rows from the top, from standard input. Writes {"answers": [{"dead": [[x, y]], "ms"}]}
// or {"error"} to standard output.

import { readFileSync } from 'node:fs'

const answer = (value) => process.stdout.write(JSON.stringify(value) + '\n')

const load = async () => {
  try {
    return (await import('@sabaki/deadstones')).default
  } catch (error) {
    if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error
    return null
  }
}

// Read before anything can fail, so that the writer never finds a closed pipe.
const { positions } = JSON.parse(readFileSync(0, 'utf8'))
const deadstones = await load()
if (deadstones === null) {
  answer({ error: 'the package @sabaki/deadstones is not installed; run `npm install`' })
} else {
  const judge = (board) => deadstones.guess(board, { finished: true })
  // The first call loads the package's WebAssembly.
  await judge(positions[0])
  const answers = []
  for (const board of positions) {
    const began = performance.now()
    const dead = await judge(board)
    answers.push({ dead, ms: performance.now() - began })
  }
  answer({ answers })
}
