/** A part of a language's texts, made by the bundler (`src/dashboard/split-texts.ts`). */
declare module '*.json?first' {
  const texts: Record<string, never>
  export default texts
}

declare module '*.json?later' {
  const texts: Record<string, never>
  export default texts
}
