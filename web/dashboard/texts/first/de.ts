import app from '../../app/texts.de.json'
import kit from '../../kit/texts.de.json'
import commandPalette from '../../screens/command-palette/texts.de.json'
import exceptions from '../../screens/exceptions/texts.de.json'
import home from '../../screens/home/texts.de.json'
import orders from '../../screens/orders/texts.de.json'
import shipments from '../../screens/shipments/texts.de.json'
import shell from '../../shell/texts.de.json'

/** The texts that every visit may need, in one file. */
export const first = [kit, app, shell, home, exceptions, orders, shipments, commandPalette] as const
