/** Icons on a grid of 16, drawn with lines; colour and size follow the text. */
const drawings = {
  home: 'M2.5 7.5 8 2.75l5.5 4.75M4 6.5v6.75h8V6.5',
  alert: 'M8 2.5 14.25 13.5H1.75ZM8 6.5v3M8 11.5v.01',
  orders: 'M3 2.5h10v11H3ZM5.5 5.5h5M5.5 8h5M5.5 10.5h3',
  parcel: 'M2.5 5 8 2.25 13.5 5v6L8 13.75 2.5 11ZM2.5 5 8 7.75 13.5 5M8 7.75v6',
  messages: 'M2.5 3.5h11v7.5H7l-3 2.5V11H2.5Z',
  settings: 'M2.5 4.5h5M10.5 4.5h3M2.5 11.5h3M8.5 11.5h5M9 3v3M7 10v3',
  search: 'M7 2.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9ZM10.4 10.4l3.1 3.1',
  menu: 'M2.5 4.5h11M2.5 8h11M2.5 11.5h11',
  more: 'M3.5 8h.01M8 8h.01M12.5 8h.01',
  close: 'M3.5 3.5l9 9M12.5 3.5l-9 9',
  check: 'M3 8.5l3.25 3.25L13 4.75',
  down: 'M4 6.25 8 10.25l4-4',
  up: 'M4 9.75 8 5.75l4 4',
  left: 'M9.75 4 5.75 8l4 4',
  right: 'M6.25 4l4 4-4 4',
  external: 'M9.5 2.5h4v4M13.5 2.5 8 8M7 3.5H3v9.5h9.5V9',
  copy: 'M5.5 5.5h8v8h-8ZM10.5 5.5v-3h-8v8h3',
  plus: 'M8 3v10M3 8h10',
  filter: 'M2.5 3.5h11L9.25 8.5v4l-2.5 1v-5Z',
  columns: 'M2.5 3h11v10h-11ZM6.2 3v10M9.8 3v10',
  bookmark: 'M4 2.5h8v11L8 10.25 4 13.5Z',
  person: 'M8 2.5a2.75 2.75 0 1 0 0 5.5 2.75 2.75 0 0 0 0-5.5ZM2.75 13.5c.5-2.75 2.5-4 5.25-4s4.75 1.25 5.25 4',
  clock: 'M8 2.25a5.75 5.75 0 1 0 0 11.5 5.75 5.75 0 0 0 0-11.5ZM8 4.75V8l2.25 1.5',
  key: 'M5.25 7a3 3 0 1 0 0 6 3 3 0 0 0 0-6ZM7.4 8l5.6-5.5M10.5 5l2 2',
  webhook:
    'M8 2.5a2.5 2.5 0 0 0-1.2 4.7L4.5 11M8 2.5a2.5 2.5 0 0 1 2.2 3.7M4 13.5a2.5 2.5 0 1 0 2.3-3.5M6.5 11h5M12 8.75a2.5 2.5 0 1 1-2.3 3.5M8.3 5.3l2.2 3.9',
  send: 'M2.5 8 13.5 2.75 10 13.5 7.5 9ZM7.5 9l6-6.25',
  bolt: 'M9 2 3.5 9h4L7 14l5.5-7h-4Z',
  eye: 'M1.75 8C3.5 4.9 5.5 3.5 8 3.5S12.5 4.9 14.25 8C12.5 11.1 10.5 12.5 8 12.5S3.5 11.1 1.75 8ZM8 6a2 2 0 1 0 0 4 2 2 0 0 0 0-4Z',
  note: 'M3 2.5h10v7l-4 4H3ZM13 9.5H9v4',
  truck:
    'M1.75 4h7.5v7h-7.5ZM9.25 6.5h3l2 2.25V11h-5M4.25 10a1.5 1.5 0 1 0 0 3 1.5 1.5 0 0 0 0-3ZM11.5 10a1.5 1.5 0 1 0 0 3 1.5 1.5 0 0 0 0-3Z',
  claim: 'M8 2.25 13 4v4c0 3-2 5-5 5.75C5 13 3 11 3 8V4ZM8 5.5v3M8 10.5v.01',
  sparkle: 'M8 2.5 9.4 6.6 13.5 8 9.4 9.4 8 13.5 6.6 9.4 2.5 8 6.6 6.6Z',
  sun: 'M8 5a3 3 0 1 0 0 6 3 3 0 0 0 0-6ZM8 1.75v1M8 13.25v1M1.75 8h1M13.25 8h1M3.6 3.6l.7.7M11.7 11.7l.7.7M3.6 12.4l.7-.7M11.7 4.3l.7-.7',
  refresh: 'M13 8a5 5 0 1 1-1.5-3.6L13 6M13 2.5V6H9.5',
  download: 'M8 2.5v7.5M4.75 7 8 10.25 11.25 7M3 13h10',
  trash: 'M3 4.5h10M6 4.5v-2h4v2M4.25 4.5l.6 9h6.3l.6-9M6.75 7v4M9.25 7v4',
  undo: 'M5.5 3 2.75 5.75 5.5 8.5M2.75 5.75h6.5a3.5 3.5 0 0 1 0 7H6',
  globe:
    'M8 2.25a5.75 5.75 0 1 0 0 11.5 5.75 5.75 0 0 0 0-11.5ZM2.25 8h11.5M8 2.25c2 1.75 2.5 3.5 2.5 5.75S10 12 8 13.75C6 12 5.5 10.25 5.5 8S6 4 8 2.25Z',
  map: 'M2.5 4 6 2.75l4 1.5 3.5-1.25V12L10 13.25l-4-1.5L2.5 13ZM6 2.75v9M10 4.25v9',
} as const
export type IconName = keyof typeof drawings

/** Decoration beside text. If there is no text, its control has a label. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg className="icon" viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <path d={drawings[name]} />
    </svg>
  )
}
