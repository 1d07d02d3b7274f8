-- What a carrier reports as proof of a delivery: who took the parcel, when and where.
alter table shipments add column proof_of_delivery jsonb;

-- It is erased with the customer, also by a node of the previous version, which does not know the column.
create function remove_proofs_of_delivery() returns trigger language plpgsql as $$
begin
  update shipments set proof_of_delivery = null
  where shop_id = new.shop_id and order_id = new.id and proof_of_delivery is not null;
  return null;
end $$;

create trigger remove_proofs_of_delivery after update of erased_at on orders for each row
  when (new.erased_at is not null) execute function remove_proofs_of_delivery();
