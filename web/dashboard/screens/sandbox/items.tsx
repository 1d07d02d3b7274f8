import { Button } from '../../kit/button.tsx'
import { TextField } from '../../kit/field.tsx'
import { t } from '../../texts/texts.ts'
import type { Item } from './play.ts'

const mostItems = 10

/** What was ordered. */
export function Items({ items, onChange }: { items: readonly Item[]; onChange: (items: Item[]) => void }) {
  const put = (index: number, item: Item) => onChange(items.map((known, at) => (at === index ? item : known)))
  return (
    <fieldset className="sandbox-items stack tight">
      <legend className="strong">{t('sandbox.items')}</legend>
      {items.map((item, index) => (
        // Items have no name of their own: their place is what identifies them.
        <div key={`${index + 0}`} className="sandbox-item">
          <TextField
            label={t('sandbox.item', { number: index + 1 })}
            isLabelHidden
            value={item.title}
            maxLength={200}
            onChange={(title) => put(index, { ...item, title })}
          />
          <TextField
            label={t('sandbox.quantity', { number: index + 1 })}
            isLabelHidden
            type="number"
            min={1}
            max={99}
            value={String(item.quantity)}
            onChange={(typed) =>
              put(index, { ...item, quantity: Math.min(99, Math.max(1, Math.trunc(Number(typed)) || 1)) })
            }
          />
          <Button
            variant="quiet"
            icon="trash"
            isIconOnly
            disabled={items.length === 1}
            onClick={() => onChange(items.filter((_item, at) => at !== index))}
          >
            {t('sandbox.remove_item', { number: index + 1 })}
          </Button>
        </div>
      ))}
      {items.length < mostItems && (
        <div>
          <Button isSmall icon="plus" onClick={() => onChange([...items, { title: '', quantity: 1 }])}>
            {t('sandbox.add_item')}
          </Button>
        </div>
      )}
    </fieldset>
  )
}
