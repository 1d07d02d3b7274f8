import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { Button } from '../../../kit/button.tsx'
import { Check } from '../../../kit/field.tsx'
import { Card } from '../../../kit/page.tsx'
import { t } from '../../../texts/texts.ts'
import type { TemplateDraft } from './draft.ts'
import type { Block } from './words.ts'

type Blocks = TemplateDraft['blocks']

interface BlockOrderProps {
  blocks: Blocks
  required: readonly Block[]
  ours: readonly Block[]
  error: string | undefined
  onChange: (blocks: Blocks) => void
}

/** The blocks of a message: each can be moved, with its buttons or with Alt and an arrow, and hidden. */
export function BlockOrder({ blocks, required, ours, error, onChange }: BlockOrderProps) {
  const list = useRef<HTMLOListElement>(null)
  const [moved, setMoved] = useState<{ name: Block; direction: Direction }>()
  useEffect(() => {
    if (!moved) return
    // Moving an element takes the focus from it; at the end of the list only the other button can be pressed.
    const buttons = [...(list.current?.querySelectorAll<HTMLButtonElement>(`[data-block=${moved.name}] button`) ?? [])]
    const wanted = buttons.find((button) => button.dataset.direction === moved.direction && !button.disabled)
    ;(wanted ?? buttons.find((button) => !button.disabled))?.focus()
  }, [moved])
  const move = (name: Block, direction: Direction) => {
    const from = blocks.findIndex((block) => block.name === name)
    const to = from + (direction === 'up' ? -1 : 1)
    const block = blocks[from]
    if (block === undefined || to < 0 || to >= blocks.length) return
    const others = blocks.filter((other) => other !== block)
    onChange([...others.slice(0, to), block, ...others.slice(to)])
    setMoved({ name, direction })
  }
  const place = moved && blocks.findIndex(({ name }) => name === moved.name) + 1
  const isOurs = blocks.every(({ name, isShown }, index) => isShown && name === ours[index])
  return (
    <Card title={t('mail.blocks')}>
      <p className="soft">{t('mail.blocks_lead')}</p>
      {error && <p className="field-error">{error}</p>}
      <ol className="mail-blocks" ref={list}>
        {blocks.map(({ name, isShown }, index) => (
          <BlockLine
            key={name}
            name={name}
            isShown={isShown}
            isRequired={required.includes(name)}
            isFirst={index === 0}
            isLast={index === blocks.length - 1}
            onMove={(direction) => move(name, direction)}
            onShow={(shown) =>
              onChange(blocks.map((block) => (block.name === name ? { ...block, isShown: shown } : block)))
            }
          />
        ))}
      </ol>
      <p className="unseen" role="status">
        {moved && place
          ? t('mail.block_moved', { block: t(`mail.block.${moved.name}.name`), place, count: blocks.length })
          : ''}
      </p>
      {!isOurs && (
        <div>
          <Button
            variant="quiet"
            icon="undo"
            isSmall
            onClick={() => onChange(ours.map((name) => ({ name, isShown: true })))}
          >
            {t('mail.blocks_reset')}
          </Button>
        </div>
      )}
    </Card>
  )
}

type Direction = 'up' | 'down'

interface BlockLineProps {
  name: Block
  isShown: boolean
  isRequired: boolean
  isFirst: boolean
  isLast: boolean
  onMove: (direction: Direction) => void
  onShow: (isShown: boolean) => void
}

function BlockLine({ name, isShown, isRequired, isFirst, isLast, onMove, onShow }: BlockLineProps) {
  const block = t(`mail.block.${name}.name`)
  const byKey = (event: KeyboardEvent) => {
    const direction = { ArrowUp: 'up', ArrowDown: 'down' }[event.key] as Direction | undefined // of the two above
    if (!event.altKey || direction === undefined) return
    event.preventDefault()
    onMove(direction)
  }
  return (
    <li className={isShown ? 'mail-block' : 'mail-block is-hidden'} data-block={name} onKeyDown={byKey}>
      <Check
        label={<span className="strong">{block}</span>}
        help={isRequired ? t('mail.block_needed') : t(`mail.block.${name}.text`)}
        isChecked={isShown}
        isDisabled={isRequired}
        onChange={onShow}
      />
      <div className="row mail-moves">
        <Button
          variant="quiet"
          icon="up"
          isIconOnly
          isSmall
          data-direction="up"
          disabled={isFirst}
          onClick={() => onMove('up')}
        >
          {t('mail.block_up', { block })}
        </Button>
        <Button
          variant="quiet"
          icon="down"
          isIconOnly
          isSmall
          data-direction="down"
          disabled={isLast}
          onClick={() => onMove('down')}
        >
          {t('mail.block_down', { block })}
        </Button>
      </div>
    </li>
  )
}
