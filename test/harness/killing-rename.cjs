// Loaded before a process of the tests: it ends as if by a power cut, before or after it renames something to a path that
// ends so. KILL_BEFORE_RENAME, KILL_AFTER_RENAME: a regular expression.
const { promises } = require('node:fs')
const { syncBuiltinESMExports } = require('node:module')

const { KILL_BEFORE_RENAME: before, KILL_AFTER_RENAME: after } = process.env
const { rename } = promises

promises.rename = async (from, to) => {
  if (before && new RegExp(before).test(String(to))) return die()
  await rename(from, to)
  if (after && new RegExp(after).test(String(to))) return die()
}
syncBuiltinESMExports()

function die() {
  process.kill(process.pid, 'SIGKILL')
  return new Promise(() => {})
}
