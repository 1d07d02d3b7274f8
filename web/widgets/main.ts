import { DoorstepPromise } from './promise.ts'
import { DoorstepTracking } from './tracking.ts'

// A page may load the script twice.
if (!customElements.get('doorstep-promise')) customElements.define('doorstep-promise', DoorstepPromise)
if (!customElements.get('doorstep-tracking')) customElements.define('doorstep-tracking', DoorstepTracking)
