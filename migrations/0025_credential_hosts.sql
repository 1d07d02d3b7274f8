-- The host that credentials were given for, where the shop sets the address of the system itself. They are sent to no
-- other one. Null: not known yet; the first host they are used with is theirs.
alter table integration_keys add column host text;
