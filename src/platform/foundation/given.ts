/** The fields that a request names, null included: what a partial update changes. */
export function given<Body extends object, Name extends keyof Body>(
  body: Body,
  names: readonly Name[],
): Partial<Pick<Body, Name>> {
  const found: Partial<Pick<Body, Name>> = {}
  for (const name of names) if (body[name] !== undefined) found[name] = body[name]
  return found
}
