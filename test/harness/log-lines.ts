/** The lines that services of this process logged during the tests of a file. */
export const logLines: string[] = []
