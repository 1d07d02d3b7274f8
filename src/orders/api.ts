import type { Operation } from '../platform/foundation/operation.ts'
import { reportDeliveryWindows } from './delivery-windows/operations.ts'
import { createEventOfShipment, createShipmentEvent } from './events/operations.ts'
import { exportShipments } from './exports/operations.ts'
import { cancelImportById, getImport, importOrders, listImportColumns, listImports } from './imports/operations.ts'
import { createNote, removeNote, searchNotes } from './notes/operations.ts'
import {
  fulfilOrders,
  getOrder,
  placeOrder,
  searchOrders,
  updateOrder,
  upsertAttribution,
  upsertOrder,
} from './orders/operations.ts'
import { getTrackpageUrl, revokeTrackpage } from './page-addresses/operations.ts'
import { removeProduct, replaceVariant, searchProducts, sendProducts } from './products/operations.ts'
import { getRouteMap } from './route-map/operations.ts'
import { listOrderSummaries, listShipmentSummaries } from './search/list-operations.ts'
import { searchShop } from './search/operations.ts'
import { createShipment, deleteShipment, getShipment, updateOrderShipment } from './shipments/operations.ts'
import { searchShipments } from './shipments/search-operations.ts'

export const orderOperations: readonly Operation[] = [
  searchOrders,
  placeOrder,
  upsertOrder,
  fulfilOrders,
  upsertAttribution,
  getOrder,
  updateOrder,
  getTrackpageUrl,
  revokeTrackpage,
  createShipment,
  // Before the others of its path: the API description names the parameters as it does.
  deleteShipment,
  getShipment,
  updateOrderShipment,
  searchShipments,
  searchShop,
  listOrderSummaries,
  listShipmentSummaries,
  createShipmentEvent,
  createEventOfShipment,
  searchNotes,
  createNote,
  removeNote,
  getRouteMap,
  sendProducts,
  searchProducts,
  replaceVariant,
  removeProduct,
  reportDeliveryWindows,
  importOrders,
  listImports,
  listImportColumns,
  getImport,
  cancelImportById,
  exportShipments,
]
