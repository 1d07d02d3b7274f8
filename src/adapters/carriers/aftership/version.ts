/** The version of AfterShip's API: part of its addresses, and of the messages it pushes. */
export const version = '2026-07'
