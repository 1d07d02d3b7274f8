/** A part of a language's texts, such as `texts:de/claims`, made by the bundler (`src/dashboard/split-texts.ts`). */
declare module 'texts:*' {
  const texts: Record<string, never>
  export default texts
}
