import app from '../../app/texts.en.json'
import kit from '../../kit/texts.en.json'
import commandPalette from '../../screens/command-palette/texts.en.json'
import exceptions from '../../screens/exceptions/texts.en.json'
import home from '../../screens/home/texts.en.json'
import orders from '../../screens/orders/texts.en.json'
import shipments from '../../screens/shipments/texts.en.json'
import shell from '../../shell/texts.en.json'

/** The texts that every visit may need, in one file. */
export const first = [kit, app, shell, home, exceptions, orders, shipments, commandPalette] as const
