import { execFileSync } from 'node:child_process'
import { dirname } from 'node:path'

/** A Node that tests start programs with. */
export interface TestNode {
  /** "Node 24", and why there is none if that is so. */
  name: string
  /** Undefined if it is not on this machine. */
  path: string | undefined
  /** Whether it runs the sources as they are. */
  runsTypeScript: boolean
}

const newer = process.env.TEST_NEWER_NODE

/** The Node of this run, and a newer one: only that runs TypeScript if this one is 20. */
export const nodes: TestNode[] = [
  nodeAt(process.execPath),
  newer
    ? nodeAt(newer)
    : {
        name: 'a newer Node (set TEST_NEWER_NODE to its binary, as .ci/run does)',
        path: undefined,
        runsTypeScript: true,
      },
]

function nodeAt(path: string): TestNode {
  const program = 'process.stdout.write(JSON.stringify([process.versions.node, !!process.features.typescript]))'
  const [version, runsTypeScript] = JSON.parse(execFileSync(path, ['-e', program], { encoding: 'utf8' }))
  return { name: `Node ${version.split('.')[0]}`, path, runsTypeScript }
}

/** The environment of a person who uses that Node: npm is run by it, too. */
export function environmentOf(path = process.execPath): NodeJS.ProcessEnv {
  // The variables that npm passes on to its programs would be settings for the program that they start.
  const own = Object.entries(process.env).filter(([name]) => !/^(npm_|NODE_|VITEST|TEST_)/i.test(name))
  return { ...Object.fromEntries(own), PATH: `${dirname(path)}:${process.env.PATH}` }
}
