// Draws the logo, the product pictures and the customers' photos of the demo shop: `npx tsx bin/draw-demo-pictures.ts`.
// The results are in src/installation/demo/pictures, because the service decodes no SVG.
import { writeFileSync } from 'node:fs'
import sharp from 'sharp'

const folder = new URL('../src/installation/demo/pictures/', import.meta.url)

/** The shop's colours, and those of its clothes. */
const pine = { deep: '#1E4637', main: '#2F5F4B', light: '#47806A', pale: '#DCEBE2' }
const river = { deep: '#1D4A63', main: '#2E6482', light: '#5A8FAA', pale: '#DDEBF2' }
const moss = { deep: '#55683A', main: '#6F8450', light: '#8DA06D' }
const oat = { deep: '#CDBB98', main: '#E4D6B9', light: '#F2E9D6' }
const rust = { deep: '#8F3F28', main: '#B5573A', light: '#CF7A5C' }
const slate = { deep: '#46555F', main: '#5F707B', light: '#82929C' }
const coal = { deep: '#26292C', main: '#383D42', light: '#565D64' }
const grey = { deep: '#8E938F', main: '#B3B8B3', light: '#D5D8D4' }
const amber = { deep: '#A85A1E', main: '#D67B33', light: '#E99F63' }
const sand = '#F6F4EE'
const straw = '#EFE8DA'

type Colours = typeof moss

/** A picture: something in the middle of a soft field, with a shadow below it. */
function picture(field: string, drawn: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 400" width="480" height="480">
<rect width="400" height="400" fill="${field}"/>
<circle cx="200" cy="190" r="158" fill="#fff" opacity=".5"/>
<ellipse cx="200" cy="352" rx="112" ry="10" fill="${pine.deep}" opacity=".12"/>
<g stroke-linejoin="round" stroke-linecap="round">${drawn}</g></svg>`
}

/** The left half of something symmetrical, and its mirror image. */
function mirrored(half: string): string {
  return `${half}<g transform="translate(400 0) scale(-1 1)">${half}</g>`
}

const shape = (d: string, fill: string, more = '') => `<path d="${d}" fill="${fill}" ${more}/>`
const line = (d: string, stroke: string, width = 3, more = '') =>
  `<path d="${d}" fill="none" stroke="${stroke}" stroke-width="${width}" ${more}/>`

function jacket({ deep, main, light }: Colours): string {
  const half = [
    shape('M138 124 L92 164 L66 292 Q66 300 74 302 L102 308 Q110 309 112 301 L132 214 Z', deep),
    shape('M200 108 L150 112 Q134 116 130 132 L124 336 Q124 346 134 346 L200 346 Z', main),
    shape('M70 280 L66 296 Q66 302 74 304 L102 309 Q110 310 112 302 L115 288 Z', light),
    line('M146 238 L170 262', deep, 5),
    line('M130 200 Q164 186 200 188', deep, 2, 'opacity=".55"'),
  ].join('')
  return [
    mirrored(half),
    shape('M146 118 Q142 58 200 54 Q258 58 254 118 Q228 140 200 140 Q172 140 146 118 Z', deep),
    shape('M162 116 Q162 78 200 76 Q238 78 238 116 Q220 128 200 128 Q180 128 162 116 Z', coal.main),
    shape('M162 116 Q180 128 200 128 Q220 128 238 116 L232 136 Q216 148 200 148 Q184 148 168 136 Z', light),
    line('M200 140 L200 346', light, 5),
    line('M178 138 L172 168 M222 138 L228 168', oat.light, 3),
  ].join('')
}

function fleece({ deep, main, light }: Colours): string {
  const dots = Array.from({ length: 54 }, (_, index) => {
    const [column, row] = [index % 6, Math.floor(index / 6)]
    return `<circle cx="${140 + column * 24 + (row % 2) * 12}" cy="${186 + row * 18}" r="3" fill="${light}" opacity=".8"/>`
  }).join('')
  const half = [
    shape('M140 112 L94 150 L68 286 Q67 296 76 298 L104 304 Q112 305 114 297 L134 206 Z', main),
    shape('M72 268 L68 288 Q67 297 76 299 L104 304 Q112 305 114 297 L118 278 Z', deep),
    shape('M200 102 L152 106 Q136 110 132 126 L126 334 Q126 342 136 342 L200 342 Z', main),
  ].join('')
  return [
    mirrored(half),
    dots,
    mirrored(shape('M126 322 L126 334 Q126 344 136 344 L200 344 L200 322 Z', deep)),
    mirrored(shape('M132 126 Q136 110 152 106 L200 102 L200 170 L130 170 Z', pine.main)),
    shape('M160 106 Q162 78 200 78 Q238 78 240 106 L232 122 Q216 132 200 132 Q184 132 168 122 Z', pine.deep),
    line('M200 96 L200 196', oat.light, 5),
    `<circle cx="200" cy="202" r="6" fill="${oat.light}"/>`,
    shape('M222 196 h40 v44 q0 6 -6 6 h-28 q-6 0 -6 -6 Z', pine.main),
    line('M222 206 h40', pine.light, 3),
  ].join('')
}

function tShirt({ deep, main, light }: Colours): string {
  const half = [
    shape('M158 98 L104 118 Q92 122 84 138 L62 190 Q60 197 66 200 L104 216 Q111 218 114 211 L130 178 Z', deep),
    shape('M200 118 Q178 118 164 98 L144 104 Q132 108 132 124 L128 330 Q128 340 138 340 L200 340 Z', main),
    line('M70 186 L108 203', light, 3, 'opacity=".7"'),
  ].join('')
  return [
    mirrored(half),
    line('M162 99 Q178 124 200 124 Q222 124 238 99', light, 6),
    shape('M236 196 l9 -17 l9 17 Z M233 208 l12 -18 l12 18 Z', light),
    line('M134 328 H266', deep, 3),
  ].join('')
}

function trousers({ deep, main, light }: Colours, isForRain: boolean): string {
  const half = [
    shape('M136 84 L200 84 L200 152 L190 330 Q189 340 180 340 L140 340 Q131 340 130 330 L124 150 Z', main),
    shape('M136 84 L200 84 L200 104 L134 104 Z', deep),
    line('M148 108 Q146 136 128 146', deep, 3),
    isForRain
      ? line('M133 250 L133 336', light, 5) + line('M132 300 H189', light, 4, 'opacity=".8"')
      : shape('M129 208 h38 v44 q0 5 -5 5 h-28 q-4 0 -5 -5 Z', deep) + line('M129 218 h38', light, 3),
  ].join('')
  return [
    mirrored(half),
    line('M200 104 L200 166', deep, 3),
    isForRain
      ? line('M188 94 Q200 120 212 94', light, 3) + line('M194 100 L186 128 M206 100 L214 128', oat.light, 3)
      : shape('M192 88 h16 v12 h-16 Z', light) + line('M156 84 v20 M244 84 v20', main, 5),
  ].join('')
}

function sock({ deep, main, light }: Colours, stripe: string): string {
  return [
    shape('M0 0 H64 V118 Q64 134 76 146 L118 186 Q138 206 122 226 Q106 244 82 230 L22 184 Q0 166 0 140 Z', main),
    shape('M64 122 Q66 136 76 146 L90 160 Q70 176 50 160 Q44 140 64 122 Z', deep, 'opacity=".75"'),
    shape('M118 186 Q138 206 122 226 Q108 242 86 232 Q84 200 118 186 Z', deep, 'opacity=".75"'),
    shape('M-4 -6 Q-4 -12 2 -12 H62 Q68 -12 68 -6 V26 H-4 Z', deep),
    line('M8 -8 V22 M20 -8 V22 M32 -8 V22 M44 -8 V22 M56 -8 V22', light, 2, 'opacity=".7"'),
    line('M0 46 H64 M0 62 H64', stripe, 7),
  ].join('')
}

function vest({ deep, main, light }: Colours): string {
  const quilts = [0, 1, 2, 3, 4, 5].map((row) => {
    const y = 132 + row * 35
    return shape(`M130 ${y} Q165 ${y + 10} 200 ${y} L200 ${y + 33} Q165 ${y + 42} 129 ${y + 33} Z`, main)
  })
  const half = [
    shape('M200 96 L156 100 Q150 132 136 148 L128 160 L124 334 Q124 344 134 344 L200 344 Z', deep),
    shape('M200 100 L160 104 Q156 124 148 138 Q172 146 200 136 Z', main),
    ...quilts.slice(0, 6),
    line('M140 262 L158 286', light, 5),
  ].join('')
  return [
    mirrored(half),
    shape('M156 104 Q152 66 200 64 Q248 66 244 104 Q224 120 200 120 Q176 120 156 104 Z', deep),
    shape('M166 98 Q168 78 200 78 Q232 78 234 98 Q218 108 200 108 Q182 108 166 98 Z', rust.main),
    line('M200 112 L200 344', rust.light, 5),
  ].join('')
}

function beanie({ deep, main, light }: Colours): string {
  const ribs = [0, 1, 2, 3, 4, 5, 6, 7, 8].map((rib) => line(`M${112 + rib * 22} 250 V306`, light, 4, 'opacity=".55"'))
  const folds = [-64, -32, 0, 32, 64].map((dx) =>
    line(`M${200 + dx * 0.35} 118 Q${200 + dx} 170 ${200 + dx * 1.2} 240`, deep, 3, 'opacity=".6"'),
  )
  return [
    shape('M104 246 Q100 110 200 104 Q300 110 296 246 Z', main),
    ...folds,
    `<circle cx="200" cy="96" r="30" fill="${oat.main}"/>`,
    line('M200 72 V118 M178 84 L222 108 M222 84 L178 108', oat.deep, 3),
    `<rect x="92" y="238" width="216" height="78" rx="20" fill="${deep}"/>`,
    ...ribs,
    `<rect x="222" y="262" width="44" height="30" rx="4" fill="${oat.light}"/>`,
    shape('M244 266 l9 13 h-5 l6 9 h-20 l6 -9 h-5 Z', pine.main),
  ].join('')
}

function shirt({ deep, main, light }: Colours): string {
  const bands = [0, 1, 2, 3, 4, 5, 6, 7].map((index) => {
    const at = 60 + index * 42
    return `<rect x="${at}" y="80" width="16" height="280" fill="${deep}" opacity=".55"/><rect x="50" y="${at + 40}" width="300" height="16" fill="${deep}" opacity=".55"/><rect x="${at + 24}" y="80" width="3" height="280" fill="${light}"/><rect x="50" y="${at + 64}" width="300" height="3" fill="${light}"/>`
  })
  const outline =
    'M164 98 L118 112 Q106 116 100 130 L66 284 Q65 294 74 296 L104 302 Q112 303 114 295 L132 214 L128 334 Q128 344 138 344 L262 344 Q272 344 272 334 L268 214 L286 295 Q288 303 296 302 L326 296 Q335 294 334 284 L300 130 Q294 116 282 112 L236 98 Q218 112 200 112 Q182 112 164 98 Z'
  return [
    `<clipPath id="shirt"><path d="${outline}"/></clipPath>`,
    shape(outline, main),
    `<g clip-path="url(#shirt)">${bands.join('')}</g>`,
    line('M132 216 L138 150 M268 216 L262 150', deep, 3),
    shape('M194 112 h12 v232 h-12 Z', deep),
    ...[140, 180, 220, 260, 300].map((y) => `<circle cx="200" cy="${y}" r="4" fill="${oat.light}"/>`),
    mirrored(shape('M200 124 L164 96 Q160 92 166 90 L176 86 Q186 104 200 108 Z', deep)),
    shape('M222 186 h40 v34 l-20 12 l-20 -12 Z', deep, 'opacity=".9"'),
    `<circle cx="242" cy="198" r="3.5" fill="${oat.light}"/>`,
  ].join('')
}

function dryBag({ deep, main, light }: Colours): string {
  return [
    shape('M126 156 Q122 340 140 346 Q200 360 260 346 Q278 340 274 156 Z', main),
    shape('M236 150 Q244 340 232 352 Q250 350 260 346 Q278 340 274 156 Z', deep, 'opacity=".6"'),
    shape('M126 160 Q128 128 140 118 H260 Q272 128 274 160 Q200 174 126 160 Z', light),
    `<rect x="118" y="84" width="164" height="38" rx="17" fill="${deep}"/>`,
    line('M132 96 H268', light, 4, 'opacity=".7"'),
    line('M122 100 Q84 108 100 160 Q104 176 118 180', coal.main, 9),
    `<rect x="90" y="132" width="24" height="30" rx="5" fill="${coal.deep}"/>`,
    line('M134 206 Q200 220 266 206', oat.light, 5, 'opacity=".9"'),
    shape('M200 240 l22 34 h-12 l16 24 h-20 v22 h-12 v-22 h-20 l16 -24 h-12 Z', oat.light),
    line('M160 332 q10 -8 20 0 t20 0 t20 0 t20 0', oat.light, 4),
  ].join('')
}

function glove({ deep, main, light }: Colours): string {
  return [
    shape(
      'M-48 56 Q-52 -30 -48 -66 Q-47 -78 -37 -78 Q-27 -78 -26 -66 L-24 -14 L-22 -88 Q-21 -100 -11 -100 Q-1 -100 0 -88 L2 -14 L6 -84 Q7 -95 16 -94 Q26 -94 26 -82 L25 -8 L34 -52 Q37 -63 46 -60 Q55 -58 53 -46 L46 28 L40 64 Z',
      main,
    ),
    shape('M-48 34 Q-74 18 -80 -8 Q-84 -22 -74 -26 Q-64 -30 -57 -18 L-44 0 Z', main),
    shape('M-52 56 H44 V104 Q44 112 36 112 H-44 Q-52 112 -52 104 Z', deep),
    line('M-40 62 V106 M-26 62 V106 M-12 62 V106 M2 62 V106 M16 62 V106 M30 62 V106', light, 3, 'opacity=".6"'),
    line('M-28 30 Q0 40 28 30', deep, 4),
    line('M-26 -6 V12 M2 -6 V12 M25 -2 V14', deep, 3, 'opacity=".7"'),
  ].join('')
}

function giftCard(): string {
  return [
    `<g transform="rotate(-7 200 200)"><rect x="66" y="120" width="268" height="170" rx="16" fill="${pine.deep}" opacity=".18" transform="translate(8 12)"/>`,
    `<rect x="66" y="116" width="268" height="170" rx="16" fill="${pine.main}"/>`,
    shape('M66 236 Q110 206 154 236 T242 236 T334 228 V270 Q334 286 318 286 H82 Q66 286 66 270 Z', river.main),
    shape('M66 256 Q110 230 154 256 T242 256 T334 250 V270 Q334 286 318 286 H82 Q66 286 66 270 Z', river.light),
    tree(126, 226, 1.1, pine.pale),
    tree(168, 230, 0.8, pine.light),
    `<rect x="252" y="116" width="22" height="170" fill="${amber.main}"/>`,
    shape('M263 150 Q226 118 226 146 Q228 164 263 160 Q298 164 300 146 Q300 118 263 150 Z', amber.light),
    `<circle cx="263" cy="154" r="9" fill="${amber.deep}"/></g>`,
  ].join('')
}

/** A pine of three tiers; x and y are its foot. */
function tree(x: number, y: number, scale: number, fill: string): string {
  const tiers = 'M0 -96 L20 -66 H11 L28 -40 H16 L36 -10 H5 V0 H-5 V-10 H-36 L-16 -40 H-28 L-11 -66 H-20 Z'
  return `<path d="${tiers}" fill="${fill}" transform="translate(${x} ${y}) scale(${scale})"/>`
}

const products: Record<string, string> = {
  tarn: picture(pine.pale, jacket(moss)),
  fell: picture(straw, fleece(oat)),
  brook: picture(river.pale, tShirt(coal)),
  ridge: picture(sand, trousers(slate, false)),
  larch: picture(
    pine.pale,
    `<g transform="translate(84 96)">${sock(grey, rust.main)}</g><g transform="translate(206 96) ">${sock({ ...grey, main: '#9FA6A0' }, pine.main)}</g>`,
  ),
  cairn: picture(straw, vest(pine)),
  juniper: picture(river.pale, beanie(rust)),
  heath: picture(sand, shirt({ deep: '#7E2F25', main: '#B34A3A', light: '#E9C9B8' })),
  delta: picture(pine.pale, trousers(coal, true)),
  otter: picture(river.pale, dryBag(amber)),
  bracken: picture(
    straw,
    `<g transform="translate(138 218) rotate(-9)">${glove(moss)}</g><g transform="translate(262 218) rotate(9) scale(-1 1)">${glove(moss)}</g>`,
  ),
  card: picture(sand, giftCard()),
}

/** A photo that a customer took: something on a table, in the light of a lamp. */
function photo(drawn: string): string {
  const boards = [90, 210, 330].map((y) =>
    line(`M0 ${y} Q180 ${y - 8} 360 ${y} T720 ${y - 4}`, '#8A6A48', 3, 'opacity=".5"'),
  )
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 720 540" width="720" height="540">
<defs><radialGradient id="lamp" cx=".4" cy=".3" r=".9"><stop offset="0" stop-color="#fff" stop-opacity=".35"/><stop offset="1" stop-color="#1b120a" stop-opacity=".45"/></radialGradient></defs>
<rect width="720" height="540" fill="#A9855D"/>${boards.join('')}
<g stroke-linejoin="round" stroke-linecap="round">${drawn}</g>
<rect width="720" height="540" fill="url(#lamp)"/></svg>`
}

function crushedBox(): string {
  return [
    shape('M120 470 L590 480 L640 180 L420 150 L380 190 L330 140 L150 170 Z', '#6B4E2E', 'opacity=".35"'),
    shape('M110 180 L318 128 L372 182 L428 136 L626 172 L584 462 L128 452 Z', '#C69C6A'),
    shape('M110 180 L318 128 L372 182 L360 300 L122 300 Z', '#D6B081'),
    shape('M318 128 L372 182 L428 136 L404 236 L372 262 L338 226 Z', '#8F6A41'),
    shape('M128 452 Q210 376 330 400 T584 390 L584 462 Z', '#7D5B37', 'opacity=".7"'),
    line('M338 226 L300 292 L330 330 M404 236 L446 300 L420 350', '#5F4426', 5),
    shape('M470 206 h112 v74 h-112 Z', '#F4F1EA', 'transform="rotate(4 526 243)"'),
    line('M486 226 h80 M486 242 h56 M486 258 h70', '#55595C', 4, 'transform="rotate(4 526 243)"'),
  ].join('')
}

function tornSleeve({ deep, main, light }: Colours): string {
  return [
    shape('M40 500 L170 120 Q250 60 420 90 L690 210 L690 500 Z', main),
    shape('M40 500 L170 120 Q220 84 280 80 L210 500 Z', deep),
    shape(
      'M330 230 L410 210 L380 262 L470 268 L400 318 L450 372 L368 344 L340 410 L322 336 L250 340 L306 290 Z',
      oat.light,
    ),
    line(
      'M330 230 L410 210 L380 262 L470 268 L400 318 L450 372 L368 344 L340 410 L322 336 L250 340 L306 290 Z',
      light,
      4,
    ),
    line('M420 90 L400 210 M210 500 L280 80', light, 4, 'opacity=".6"'),
  ].join('')
}

function openSeam({ deep, main, light }: Colours): string {
  const stitches = [0, 1, 2, 3, 4, 5, 6, 7].map((n) => line(`M${150 + n * 26} 190 v18`, light, 5))
  return [
    shape('M0 0 H720 V540 H0 Z', main),
    shape('M120 190 H610 V470 Q610 500 580 500 H150 Q120 500 120 470 Z', deep),
    shape('M360 190 Q480 250 610 190 V204 Q480 282 360 204 Z', oat.main),
    ...stitches,
    line('M370 196 q14 26 4 44 M430 214 q10 20 -2 40 M520 214 q-8 24 6 42', oat.light, 4),
    line('M120 190 H360', light, 4),
  ].join('')
}

function sizeLabel(size: string, { deep, main, light }: Colours): string {
  return [
    shape('M0 0 H720 V540 H0 Z', main),
    shape('M120 0 Q360 190 600 0 L640 60 Q360 280 80 60 Z', deep),
    line('M100 40 Q360 240 620 40', light, 5, 'opacity=".7"'),
    shape('M250 200 h220 v230 q0 12 -12 12 h-196 q-12 0 -12 -12 Z', oat.light),
    line('M266 214 h188', grey.main, 4),
    `<text x="360" y="352" text-anchor="middle" font-family="Liberation Sans, sans-serif" font-weight="700" font-size="120" fill="${coal.main}">${size}</text>`,
    line('M290 396 h140 M310 416 h100', grey.main, 6),
  ].join('')
}

/** The photos that customers send with their claims. */
const photos: Record<string, string> = {
  'claim-box': photo(crushedBox()),
  'claim-sleeve': photo(tornSleeve(moss)),
  'claim-seam': photo(openSeam(slate)),
  'claim-size': photo(sizeLabel('S', pine)),
}

/** Two pines at a river, and the name. */
const logo = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 620 160" width="620" height="160">
<circle cx="80" cy="80" r="74" fill="${pine.pale}"/>
<clipPath id="disc"><circle cx="80" cy="80" r="74"/></clipPath>
<g clip-path="url(#disc)">${tree(66, 112, 0.98, pine.deep)}${tree(106, 110, 0.7, pine.light)}
<path d="M0 116 Q27 98 54 116 T108 116 T166 112 V160 H0 Z" fill="${river.main}"/>
<path d="M0 134 Q27 118 54 134 T108 134 T166 130 V160 H0 Z" fill="${river.light}"/></g>
<text x="178" y="103" font-family="Liberation Serif, serif" font-weight="700" font-size="68" letter-spacing="1" fill="${pine.deep}">River &amp; Pine</text></svg>`

for (const [name, drawing] of Object.entries({ ...products, ...photos })) {
  writeFileSync(new URL(`${name}.webp`, folder), await sharp(Buffer.from(drawing)).webp({ quality: 82 }).toBuffer())
}
writeFileSync(
  new URL('logo.png', folder),
  await sharp(Buffer.from(logo), { density: 72 }).png({ palette: true, effort: 10 }).toBuffer(),
)
