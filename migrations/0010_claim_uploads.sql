-- Photos and signatures that came with a form are kept for a while, so that nobody has to choose them again when
-- something else in the form has to be mended. The claim that takes them keeps them for good.

alter table images add column expires_at timestamptz;
create index images_expiring on images (expires_at) where expires_at is not null;
