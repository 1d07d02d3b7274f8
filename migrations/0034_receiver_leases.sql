-- A worker claims from a receiver's queue under a lease.
alter table delivery_lanes rename to receiver_leases;
alter table receiver_leases rename column held_until to leased_until;
alter index delivery_lanes_pkey rename to receiver_leases_pkey;
