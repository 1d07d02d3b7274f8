-- People with an account of their own, the links that let them in, and the sessions of people and keys.

create table people (
  id uuid primary key,
  -- In lower case, so that an address names one account however it is typed.
  email text not null,
  name text not null,
  -- Null until the invitation is accepted, and for those who sign in through OIDC.
  password text,
  -- Encrypted. It counts from totp_confirmed_at on, when its owner has shown a code.
  totp_secret bytea,
  totp_confirmed_at timestamptz,
  -- The time step of the last accepted code: no code is accepted twice.
  totp_last_step bigint,
  -- The role in every shop; null for a person of certain shops.
  everywhere text,
  oidc_issuer text,
  oidc_subject text,
  created_at timestamptz not null,
  last_sign_in_at timestamptz,
  disabled_at timestamptz
);
create unique index people_email on people (email);
create unique index people_oidc on people (oidc_issuer, oidc_subject);
create index people_name on people (name, id);
create index people_everywhere on people (id) where everywhere is not null;

create table person_shops (
  shop_id uuid not null references shops (id) on delete cascade,
  person_id uuid not null references people (id) on delete cascade,
  role text not null,
  primary key (shop_id, person_id)
);
create index person_shops_person on person_shops (person_id);

-- A link is good for one use: using it deletes its row. Only a digest of its token is stored.
create table sign_in_links (
  token_hash bytea primary key,
  -- invitation and reset are of a person, sign-in is of a key.
  kind text not null,
  person_id uuid references people (id) on delete cascade,
  key_id text references api_keys (id) on delete cascade,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  check (num_nonnulls(person_id, key_id) = 1)
);
create unique index sign_in_links_person on sign_in_links (person_id) where person_id is not null;
create index sign_in_links_key on sign_in_links (key_id) where key_id is not null;
create index sign_in_links_age on sign_in_links (expires_at);

-- Ending a session deletes its row, as does deleting its person or key.
create table sessions (
  id uuid primary key,
  token_hash bytea not null,
  person_id uuid references people (id) on delete cascade,
  key_id text references api_keys (id) on delete cascade,
  created_at timestamptz not null,
  last_used_at timestamptz not null,
  expires_at timestamptz not null,
  user_agent text not null,
  network text not null,
  check (num_nonnulls(person_id, key_id) = 1)
);
create unique index sessions_token on sessions (token_hash);
create index sessions_person on sessions (person_id, created_at) where person_id is not null;
create index sessions_key on sessions (key_id, created_at) where key_id is not null;
create index sessions_age on sessions (expires_at);
create index sessions_use on sessions (last_used_at);
