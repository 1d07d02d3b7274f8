import { describe, expect, it } from 'vitest'
import { html, xml } from '../../src/platform/foundation/html.ts'

describe('an HTML template', () => {
  it('is sent without its layout: one element per line, indented', () => {
    const list = ['one', 'two'].map((name) => html`<li>${name}</li>`)
    const shown = html`
      <ul class="names">
        ${list}
      </ul>
      ${undefined}
    `
    expect(shown.html).toBe('<ul class="names"><li>one</li><li>two</li></ul>')
  })

  it('may have one attribute per line, before and after a value', () => {
    const isChecked = html` checked`
    const shown = html`
      <input
        name="${'a>b'}"
        value="1"${isChecked}>
      <br>`
    expect(shown.html).toBe('<input name="a&gt;b" value="1" checked><br>')
  })

  it('keeps blanks within a line, and the break before a line at the margin', () => {
    expect(
      html`<b>1</b> <b>2</b>
<b>3</b>`.html,
    ).toBe('<b>1</b> <b>2</b>\n<b>3</b>')
  })

  it('keeps the line breaks and the indentation of its values', () => {
    const text = '\n  one\n  <two>'
    expect(html`<pre>${text}</pre>`.html).toBe('<pre>\n  one\n  &lt;two&gt;</pre>')
    expect(html`<pre>${{ html: text }}</pre>`.html).toBe(`<pre>${text}</pre>`)
  })

  it('shows each of its uses its own values', () => {
    const item = (name: string) => html`
      <li>${name}</li>`
    expect([item('one').html, item('two').html]).toEqual(['<li>one</li>', '<li>two</li>'])
  })

  it('is sent with its layout if it is XML', () => {
    expect(
      xml`<a>
  <b>${'1 < 2'}</b>
</a>`.html,
    ).toBe('<a>\n  <b>1 &lt; 2</b>\n</a>')
  })
})
